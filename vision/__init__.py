"""From pictures to what lies on the table."""

import os

# Media Foundation opens a webcam in 4 to 20 s with hardware transforms; OpenCV reads this when it is loaded.
os.environ.setdefault("OPENCV_VIDEOIO_MSMF_ENABLE_HW_TRANSFORMS", "0")
