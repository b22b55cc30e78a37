"""What the server and the command line have to say when something is in the way."""

from __future__ import annotations

from companion.wording import N_

SENTENCES = {
    # answers of the server
    "stale": N_("The table has moved on meanwhile. Look again, then decide."),
    "unknown_table": N_(
        "There is no table with the code %(table)s. Scan the code on the table screen again."
    ),
    "unknown_link": N_(
        "This personal link opens no seat. It may have been replaced by a newer one: scan the code on"
        " the table screen."
    ),
    "no_seat_here": N_(
        "This device holds no seat at this table. Open your personal link, or join by the code on the"
        " table screen."
    ),
    "not_a_shared_device": N_(
        "No players share this device at this table. Scan the code on the table screen to join."
    ),
    "not_at_this_device": N_("This player does not sit at this device."),
    "seat_is_shared": N_(
        "That cannot be done at a device that several players share. Use a phone of your own."
    ),
    "bad_pin": N_("A PIN has %(digits)s digits. Choose digits that the others do not guess."),
    "wrong_pin": N_("That is not the right PIN. Tries left: %(count)s."),
    "wrong_pin/0": N_("That is not the right PIN. Now wait a while before you try again."),
    "pin_waits": N_("Too many wrong PINs. Seconds until the next try: %(seconds)s."),
    "host_not_offered": N_("The host does not offer this any more."),
    "not_the_host": N_(
        "Only the host can do that. Is there no host any more? Start the program again: it prints the host's"
        " link."
    ),
    "host_link_elsewhere": N_("The host's link works only on the computer that runs the table."),
    "wrong_host_link": N_(
        "This link makes nobody the host any more. Did another player become the host? Else start the program"
        " again: it prints the link that does."
    ),
    "wrong_camera_token": N_("This camera does not belong to the table."),
    "unknown_host": N_("This address is not one of this computer's. Use the address on the table screen."),
    "foreign_origin": N_(
        "This request came from another site's page, so it was not carried out. Open the table's own page."
    ),
    "not_allowed": N_("Nobody may do that."),
    "not_found": N_("There is no such page. Scan the code on the table screen again."),
    "wrong_method": N_("This address cannot be used in that way."),
    "too_large": N_("That is too much at once."),
    "not_json": N_("The page sent something in the wrong form. Reload it."),
    "bad_request": N_("The page sent something that the program does not understand. Reload it."),
    "bad_sight": N_(
        "The camera sent something that the program does not understand: %(field)s. Both must be of "
        "one version."
    ),
    "bad_picture": N_("That is no picture in JPEG form."),
    "no_picture": N_("There is no picture of the table now."),
    "no_such_secret": N_("There is no such secret."),
    "no_such_card_picture": N_("There is no such card."),
    "too_many_streams": N_(
        "Too many screens listen at once. This one asks for news from time to time instead."
    ),
    "internal": N_("The program made a mistake. Nothing was changed; try again."),
    # the data folder and the log
    "data_folder_not_writable": N_(
        "The data folder %(folder)s cannot be written to (%(system)s). Choose another one with --data FOLDER."
    ),
    "folder_not_writable": N_("The folder %(folder)s cannot be written to (%(system)s)."),
    "data_folder_in_use": N_(
        "Pithead is running already with the data folder %(folder)s. Stop it first, or choose another"
        " folder with --data FOLDER."
    ),
    "database_locked": N_("Another program holds the log %(file)s. Close it and try again."),
    "database_failed": N_("The log %(file)s could not be reached. Try again."),
    "log_not_writable": N_("The log %(file)s cannot be written. Is the disk full or the folder protected?"),
    "log_from_newer_version": N_(
        "The log %(file)s was written by a newer version of this program. Update the program, or "
        "choose another folder with --data FOLDER."
    ),
    "log_damaged": N_("The log %(file)s is damaged. Keep it, and start a new one with --data FOLDER."),
    "log_written_elsewhere": N_("Another program wrote to the log %(file)s. Stop it and start again."),
    # the network
    "address_not_here": N_("This computer does not have the address %(address)s. It has: %(addresses)s."),
    "port_in_use": N_(
        "Port %(port)s is taken by another program. Stop it, or choose another one with --port."
    ),
    "port_not_allowed": N_("Port %(port)s cannot be opened (%(system)s). Choose one above 1023 with --port."),
    "no_free_port": N_("All ports from %(first)s to %(last)s are taken. Choose one with --port."),
    "no_network": N_("No network was found that phones could be in. Join a Wi-Fi."),
    "unreadable_board": N_("This is no board: %(text)s."),
    "unreadable_placement": N_("This is no card in a place, such as 2,0=EW: %(text)s."),
    "server_address_wrong": N_("The address of the table is wrong. It looks like http://192.168.1.23:8080."),
    "server_not_local": N_("%(host)s is not in this house: pictures of the table are sent nowhere else."),
}
