"""From pictures to what lies on the table."""

import os

# Small products of matrices, many of them: two threads waiting for each other take a hundred times as long
# on a busy machine (measured: 17 ms instead of 0.2 ms). NumPy reads this when it is loaded.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# Media Foundation opens a webcam in 4 to 20 s with hardware transforms; OpenCV reads this when it is loaded.
os.environ.setdefault("OPENCV_VIDEOIO_MSMF_ENABLE_HW_TRANSFORMS", "0")
