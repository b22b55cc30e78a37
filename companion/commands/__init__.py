"""The commands of `pithead`, one file each."""
