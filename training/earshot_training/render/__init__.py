"""Turns composed events into audio and features, on the GPU when there is one."""
