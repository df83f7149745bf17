"""The sounds the composer plays: samples cut from free soundfonts, and one-shots we synthesise."""
