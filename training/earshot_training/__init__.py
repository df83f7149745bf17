"""Composes music, renders it, and trains Earshot's beat, chord and key networks on it."""
