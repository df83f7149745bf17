#!/bin/sh
# Generates decode/fixtures: synthesised tones in every format, at most 61 kB each. The files are committed, so this is only needed to
# add one. Needs ffmpeg (with libmp3lame, libvorbis, libopus, libx264), lame, flac and python3.
#
#   stereo   0.4 s: left 440 Hz at 0.5, right 880 Hz at 0.25 of full scale
#   bursts   1 s: a chord that moves from left to right, with a burst of noise every 0.2 s, which makes encoders switch block sizes
#   surround 0.4 s: FL 300, FR 400, FC 500, LFE 60, BL 700, BR 800 Hz, all at 0.3
set -eu
cd "$(dirname "$0")/../decode/fixtures"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

python3 - "$work" <<'PYTHON'
import math, struct, sys

def write(path, rate, tones, seconds=0.4):
    count = round(rate * seconds)
    frames = bytearray()
    for i in range(count):
        for hz, level in tones:
            frames += struct.pack('<h', math.floor(32767 * level * math.sin(2 * math.pi * hz * i / rate) + 0.5))
    channels = len(tones)
    header = struct.pack('<4sI4s4sIHHIIHH4sI', b'RIFF', 36 + len(frames), b'WAVE', b'fmt ', 16, 1, channels, rate,
                         rate * channels * 2, channels * 2, 16, b'data', len(frames))
    open(path, 'wb').write(header + frames)

stereo = [(440, 0.5), (880, 0.25)]
write(f'{sys.argv[1]}/44100.wav', 44100, stereo)
write(f'{sys.argv[1]}/16000.wav', 16000, stereo)
write(f'{sys.argv[1]}/surround.wav', 48000, [(hz, 0.3) for hz in (300, 400, 500, 60, 700, 800)])

import random
random.seed(1)
frames = bytearray()
for i in range(44100):
    t = i / 44100
    chord = sum(math.sin(2 * math.pi * hz * t) for hz in (220, 277.2, 329.6, 1318.5)) / 8
    burst = random.uniform(-0.4, 0.4) * math.exp(-60 * (t % 0.2))
    frames += struct.pack('<hh', *(round(32767 * (level * chord + burst)) for level in (1 - t, t)))
open(f'{sys.argv[1]}/bursts.raw', 'wb').write(frames)
PYTHON

encode() { ffmpeg -v error -y -bitexact "$@"; }
cover="$work/cover.png"
encode -f lavfi -i color=red:s=8x8 -frames:v 1 "$cover"
tags="-metadata title=Tone -metadata artist=Earshot -metadata album=Fixtures -metadata genre=Test -metadata date=2024 -metadata track=3"

lame --quiet -b 128 --tt Tone --ta Earshot --tl Fixtures --tg Test --ty 2024 --tn 3 --tv TBPM=120 --tv TKEY=Am \
  --ti "$cover" "$work/44100.wav" lame.mp3
encode -i "$work/44100.wav" -map_metadata -1 -write_xing 0 -id3v2_version 0 -b:a 96k no-info.mp3
encode -f s16le -ar 44100 -ac 2 -i "$work/bursts.raw" "$work/bursts.wav"
lame --quiet -V 4 "$work/bursts.wav" bursts-vbr.mp3
lame --quiet --resample 22.05 -m m -b 32 "$work/bursts.wav" bursts-mpeg2-mono.mp3
lame --quiet --resample 11.025 -m j -b 32 "$work/bursts.wav" bursts-mpeg25.mp3
encode -i "$work/44100.wav" -b:a 192k tone.mp2
encode -i "$work/44100.wav" $tags -c:a libvorbis -q:a 2 vorbis.ogg
encode -i "$work/44100.wav" $tags -c:a libopus -b:a 64k -page_duration 100000 opus.ogg
encode -i "$work/16000.wav" -c:a flac flac.ogg
encode -i "$work/44100.wav" $tags -c:a aac -b:a 96k aac-moov-last.m4a
encode -i "$work/44100.wav" -c:a aac -b:a 96k -movflags frag_keyframe+empty_moov aac-fragmented.mp4
encode -f lavfi -i testsrc=size=64x48:rate=5 -i "$work/44100.wav" -t 0.4 -c:v libx264 -c:a aac -b:a 96k \
  -movflags frag_keyframe+empty_moov+omit_tfhd_offset aac-behind-video.mp4
encode -i "$work/44100.wav" -c:a aac -b:a 96k -f adts adts.aac
encode -i "$work/16000.wav" -c:a alac alac.m4a
encode -i "$work/16000.wav" -c:a alac alac.caf
encode -i "$work/16000.wav" -af 'pan=mono|c0=c0' -c:a alac alac-mono.m4a
encode -i "$work/16000.wav" -af volume=0.9 -sample_fmt s32p -c:a alac alac24.m4a
encode -i "$work/44100.wav" -c:a libopus -b:a 64k opus.webm
encode -i opus.webm -c copy -strict -2 -movflags frag_keyframe+empty_moov opus-fragmented.mp4
encode -i "$work/44100.wav" -c:a libvorbis -q:a 2 vorbis.webm
encode -i "$work/16000.wav" -c:a flac flac.mka
encode -i "$work/16000.wav" -c:a wavpack wavpack.wv
encode -i "$work/16000.wav" -af 'pan=mono|c0=c0' -sample_fmt fltp -c:a wavpack wavpack-float.wv
encode -i "$work/16000.wav" -c:a tta tta.tta
encode -i "$work/44100.wav" -c:a wmav2 -b:a 96k wma.wma
encode -i "$work/44100.wav" -c:a ac3 -b:a 96k tone.ac3
encode -i "$work/44100.wav" -c:a eac3 -b:a 96k tone.eac3
encode -i "$work/44100.wav" -strict -2 -c:a dca -b:a 384k tone.dts
encode -i "$work/16000.wav" -c:a adpcm_ima_wav adpcm-ima.wav
encode -i "$work/16000.wav" -c:a adpcm_ms adpcm-ms.wav
encode -i "$work/44100.wav" -c:a libmp3lame -b:a 96k mp3.wav
flac --silent --force --no-padding --tag=TITLE=Tone --tag=ARTIST=Earshot --tag=ISRC=QZES52400001 \
  --tag=REPLAYGAIN_TRACK_GAIN="-3.25 dB" --output-name=flac16.flac "$work/16000.wav"
encode -i "$work/16000.wav" -af volume=0.9 -sample_fmt s32 -c:a flac flac24.flac
encode -channel_layout 5.1 -i "$work/surround.wav" -c:a libvorbis -q:a 1 surround-vorbis.ogg
encode -channel_layout 5.1 -i "$work/surround.wav" -c:a libopus -mapping_family 1 -b:a 160k surround-opus.ogg
encode -channel_layout 5.1 -i "$work/surround.wav" -c:a aac -b:a 160k surround-aac.m4a
encode -f lavfi -i 'aevalsrc=0.3*sin(2*PI*300*t)|0.3*sin(2*PI*400*t)|0.3*sin(2*PI*500*t)|0.3*sin(2*PI*60*t)|0.3*sin(2*PI*700*t)|0.3*sin(2*PI*800*t)|0.3*sin(2*PI*900*t)|0.3*sin(2*PI*1000*t):s=48000:d=0.4:c=7.1' \
  -c:a aac -b:a 256k surround71-aac.m4a
# HE-AAC needs an FFmpeg built with libfdk_aac; the committed files were encoded with ffmpeg.wasm (FFmpeg 4.3.1).
if ffmpeg -hide_banner -encoders | grep -q libfdk_aac; then
  encode -i "$work/44100.wav" -c:a libfdk_aac -profile:a aac_he -b:a 48k he-aac.m4a
  encode -i "$work/44100.wav" -c:a libfdk_aac -profile:a aac_he_v2 -b:a 24k he-aac-v2.m4a
fi
encode -channel_layout 5.1 -i "$work/surround.wav" -c:a alac surround-alac.m4a
encode -channel_layout 5.1 -i "$work/surround.wav" -c:a ac3 -b:a 192k surround.ac3
# Three groups of three blocks.
encode -channel_layout 5.1 -i "$work/surround.wav" -af atrim=end_sample=1500 -c:a wavpack -frame_size 500 surround.wv
