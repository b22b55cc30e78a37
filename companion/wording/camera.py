"""What the camera, its pictures and the referee have to say."""

from __future__ import annotations

from companion.wording import N_

SENTENCES = {
    # what the camera and the game disagree on
    "missing": N_(
        "The game has a card here (%(card)s), and the camera sees none. Lay it back, or set the cell right."
    ),
    "extra": N_(
        "The camera sees a card here that the game does not have: %(card)s. Take it away, or set the "
        "cell right."
    ),
    "differs": N_("The camera sees another card here (%(seen)s) than the game has (%(card)s)."),
    "goal_to_lay": N_("Lay this goal card here as shown: %(card)s."),
    "old_maze": N_("Cards that are out of the game still lie there: %(count)s. Take them away."),
    "clear_away": N_("This card is no longer in the game and still lies here: %(card)s. Take it away."),
    "goal_differs": N_(
        "Another goal card lies here (%(seen)s) than the game has (%(card)s), or the wrong way up."
    ),
    "goal_up_early": N_("A goal lies face up here that was not reached. Turn it down again."),
    "no_start_card": N_("The camera does not see the start card yet."),
    "goals_missing": N_("The camera does not see all three goals yet: %(count)s."),
    # what keeps the table from being read (well)
    "no_table": N_(
        "No table is seen: neither the corner tags nor enough cards. Point the camera at the start card."
    ),
    "no_goals": N_("The goals are not seen yet. The whole table should be in the picture."),
    "cut_off": N_("Part of the table is outside of the picture. Move the camera further away."),
    "too_dark": N_("The picture is too dark. Put on a light."),
    "too_bright": N_("Parts of the picture are too bright. Turn the lamp or the camera away from shine."),
    "blurred": N_("The picture is blurred. Focus the camera, wipe its lens, or keep it still."),
    "too_small": N_(
        "The cards are too small in the picture: %(px_per_card)s px wide, %(needed)s needed. Move the"
        " camera closer."
    ),
    "tilted": N_(
        "The camera looks too much from the side (%(degrees)s degrees). Raise it: at most %(most)s degrees."
    ),
    "reading_failed": N_("A picture could not be worked out. The next ones are tried."),
    "folder_without_pictures": N_("There are no pictures in the folder %(file)s."),
    "drawing_deck": N_("The printed deck is drawn for the camera, this once. It takes up to a minute."),
    # how well the table is seen, and what would better it
    "view_board": N_("Start card: %(start)s of 1. Goals: %(goals)s of 3."),
    "better_board": N_("Lay out the start card and the three goals, and point the camera at them."),
    "view_size": N_("The smallest card is %(px)s pixels wide. At least %(needed)s are needed."),
    "better_size": N_("Move the camera closer, or let its app give larger pictures."),
    "view_focus": N_("Sharpness: %(percent)s. At least 100 is needed."),
    "better_focus": N_("Focus the camera, wipe its lens, or keep it still."),
    "view_light": N_("Brightness: %(level)s of 255. At least %(needed)s is needed."),
    "better_light": N_("Put on a light. A lamp on each side is best."),
    "view_glare": N_("Cards on which a lamp shines: %(cards)s."),
    "better_glare": N_("Move the lamp or the camera until no lamp is mirrored in the cards."),
    "view_tilt": N_("The camera looks from the side by %(degrees)s degrees. Up to %(most)s are fine."),
    "better_tilt": N_("Raise the camera, so that it looks more from above."),
    "view_frame": N_("The whole board is in the picture."),
    "view_frame/N": N_("The board goes beyond the upper edge of the picture."),
    "view_frame/E": N_("The board goes beyond the right edge of the picture."),
    "view_frame/S": N_("The board goes beyond the lower edge of the picture."),
    "view_frame/W": N_("The board goes beyond the left edge of the picture."),
    "better_frame": N_("Move the camera back, or turn it that way."),
    # photos taken with a phone
    "photo_awaited": N_("Take a photo of the whole table with a phone."),
    "bad_photo": N_("That is no photo that can be read. Take it with the phone's own camera."),
    "photo_not_jpeg": N_(
        "This phone keeps its photos in a form that cannot be read here (HEIC). Choose “Most compatible” in "
        "the settings of its camera."
    ),
    "no_photo_wanted": N_("Another camera watches the table. The host can choose photos on the camera page."),
    # the watching process and its sources
    "camera_silent": N_(
        "The camera has stopped answering. It is being started again; you can go on by tapping."
    ),
    "camera_stopped": N_(
        "The camera program has stopped. It is being started again; you can go on by tapping."
    ),
    "lost": N_("The picture is lost. You can go on by tapping; the camera is tried again and again."),
    "ended": N_("The film or the pictures have come to their end."),
    "no_camera": N_("There is no camera with number %(camera)s. Plug it in, or choose another one."),
    "camera_forbidden": N_(
        "This program may not use camera %(camera)s. Allow it in the system's settings (on Linux: "
        "join the group “video”)."
    ),
    "camera_busy": N_("Camera %(camera)s gives no picture. Close other programs that use it."),
    "camera_hangs": N_("Camera %(camera)s does not answer. Unplug it, plug it in again, and try once more."),
    "camera_lost": N_("Camera %(camera)s went away. Plug it in again; you can go on by tapping."),
    "stream_unreachable": N_(
        "Nothing answers at %(url)s. Is the phone's camera app running and in the same Wi-Fi?"
    ),
    "stream_refused": N_("The camera at %(url)s refuses: %(status)s. Check its name and password."),
    "not_a_stream": N_(
        "There are no pictures at %(url)s. Camera apps often give them at an address that ends with /video."
    ),
    "no_such_file": N_("There is no file %(file)s."),
    "file_not_readable": N_("The file %(file)s cannot be read."),
    "not_a_picture": N_("%(file)s is no picture that can be read (JPEG, PNG)."),
    "not_a_video": N_("%(file)s is no film that can be read."),
    "not_a_dictionary": N_(
        "%(file)s is no list of markers as OpenCV writes it: nmarkers, markersize and a line for each marker."
    ),
    "no_pictures": N_("There are no pictures in %(file)s."),
    "picture_too_large": N_("The picture %(file)s is too large: at most %(megapixels)s megapixels."),
    # enrolling a deck
    "enrol_no_cards": N_(
        "No card was found in %(file)s. Lay the cards apart on a plain cloth and take the picture from above."
    ),
    "enrol_touching": N_(
        "In %(file)s not all cards stand out: lay them a finger apart on a plain cloth and take it again."
    ),
    "enrol_small": N_("This card is too small in the picture. Go closer, and take fewer cards at once."),
    "enrol_blurred": N_("This picture is blurred. Hold still and take it again."),
    "enrol_glare": N_("A lamp shines on this card. Take it again from another side."),
    "enrol_needs_start": N_("Say which card is the start card: the one with the ladder."),
    "enrol_needs_goals": N_("Say which cards are the goals: the gold and the stones."),
    "enrol_needs_goal_back": N_("Say which picture shows the back of the goals."),
    "enrol_needs_tunnels": N_("Some cards have no tunnels yet. Set them right, or take the cards out."),
    "enrol_no_such_card": N_("There is no card %(card)s here."),
    "enrol_bad_tunnels": N_("These are no tunnels: %(text)s. They look like c07=NS.E."),
    "enrol_bad_name": N_("Give the deck a name of letters and numbers, at most 40."),
    "enrol_failed": N_("The picture could not be worked out. Nothing was changed; try again."),
    "enrol_full": N_("This deck has %(most)s cards already, more than any box. Begin another deck."),
    "enrol_code_old": N_(
        "This code is too old. Press “Show new cards” on the host's screen and scan the new one."
    ),
    "enrol_draft_damaged": N_("What was enrolled in %(folder)s cannot be read. Begin with another name."),
    # deck folders
    "deck_not_found": N_("There is no deck.json in the folder %(folder)s."),
    "deck_not_readable": N_("The deck.json in the folder %(folder)s cannot be read."),
    "deck_entry_wrong": N_("The deck.json is wrong at %(entry)s."),
    "deck_picture_missing": N_("The picture %(file)s of the deck is missing."),
    "deck_picture_unreadable": N_("The picture %(file)s of the deck cannot be read."),
    "deck_folder_unwritable": N_("The deck folder %(folder)s cannot be written: %(why)s."),
    "sheets_unwritable": N_("The file %(path)s cannot be written: %(why)s."),
    "text_needs_font": N_("There is no font here for the text on the sheets: %(text)s."),
}
