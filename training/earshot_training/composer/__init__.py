"""Writes short pieces of music in many styles, with the beats, chords and key a listener would name."""
