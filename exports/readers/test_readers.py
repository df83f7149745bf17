"""Opens the exports of the service with third-party libraries. scripts/test-exports.mjs has written them to the folder EXPORTS."""

import csv
import io
import json
import os
import re
import zipfile
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

import jams
import mido
import mir_eval
import music21
import pychord
import pyrekordbox
import pytest

OUT = Path(os.environ["EXPORTS"])
FOLDER = os.environ["FOLDER"]
ORDER = json.loads((OUT / "order.json").read_text())["steps"]
RESULT = json.loads((OUT / "song.result.json").read_text())["result"]
BEATS_SECONDS = [beat["time_seconds"] for beat in RESULT["rhythm"]["beats"]]


def text(name: str) -> str:
    return (OUT / name).read_text(encoding="utf-8")


class TestOneSong:
    def test_midi_begins_with_bar_1_and_one_tempo(self) -> None:
        midi = mido.MidiFile(OUT / "song.midi")
        assert midi.type == 1 and len(midi.tracks) == 3
        assert [track.name for track in midi.tracks[1:]] == ["Click", "Chords"]
        tempos = [event for event in midi.tracks[0] if event.type == "set_tempo"]
        # The songs are synthesised with one tempo, which is within a thousandth of that in the result.
        assert len(tempos) == 1
        assert mido.tempo2bpm(tempos[0].tempo) == pytest.approx(RESULT["bpm"], rel=1e-3)
        meter = next(event for event in midi.tracks[0] if event.type == "time_signature")
        assert meter.time == 0 and meter.numerator == RESULT["time_signature"]

    def test_midi_clicks_lie_on_the_beats(self) -> None:
        midi = mido.MidiFile(OUT / "song.midi")
        offset = next(event for event in midi.tracks[0] if event.type == "smpte_offset")
        now_seconds = offset.minutes * 60 + offset.seconds + (offset.frames + offset.sub_frames / 100) / 30
        clicks_seconds = []
        for event in midi:
            now_seconds += event.time
            if event.type == "note_on" and event.channel == 9 and event.velocity > 0:
                clicks_seconds.append(now_seconds)
        first_seconds = RESULT["rhythm"]["downbeats"][0]["time_seconds"]
        beats_seconds = [time for time in BEATS_SECONDS if time >= first_seconds]
        assert len(clicks_seconds) == len(beats_seconds)
        # The clicks have one tempo, so they are as far off as a beat may be in evaluation.
        assert max(abs(a - b) for a, b in zip(clicks_seconds, beats_seconds)) < 0.07

    def test_midi_chords_are_the_chords(self) -> None:
        score = music21.converter.parse(str(OUT / "song.midi"), format="midi")
        part = next(part for part in score.parts if part.partName == "Chords")
        first_seconds = RESULT["rhythm"]["downbeats"][0]["time_seconds"]
        heard = [
            music21.pitch.Pitch(chord["label"].split(":")[0].replace("b", "-")).pitchClass
            for chord in RESULT["tonal"]["chords_sevenths"]
            if chord["label"] not in ("N", "X") and chord["end_seconds"] > first_seconds
        ]
        # music21 splits a chord at a bar line, and ties the pieces.
        chords = part.stripTies().recurse().getElementsByClass(music21.chord.Chord)
        written = [chord.root().pitchClass for chord in chords]
        assert written == heard

    def test_musicxml_is_a_lead_sheet(self) -> None:
        score = music21.converter.parse(str(OUT / "song.musicxml"), format="musicxml")
        measures = list(score.parts[0].getElementsByClass("Measure"))
        assert len(measures) == len({beat["bar"] for beat in RESULT["rhythm"]["beats"]})
        symbols = [one for one in score.recurse().getElementsByClass("ChordSymbol")]
        assert symbols and all(one.root() is not None for one in symbols if one.chordKind != "none")
        key = next(iter(score.recurse().getElementsByClass("Key")))
        assert (key.tonic.pitchClass, key.mode) == key_of(RESULT["key_notation"])
        mark = next(iter(score.recurse().getElementsByClass("MetronomeMark")))
        # Metronome marks are whole numbers.
        assert mark.number == pytest.approx(RESULT["bpm"], abs=0.51)
        marks = [one.content for one in score.recurse().getElementsByClass("RehearsalMark")]
        assert len(marks) == len(RESULT["structure"]["sections"])

    def test_chordpro_names_real_chords(self) -> None:
        check_chordpro(text("song.chordpro"))

    def test_jams_validates(self) -> None:
        document = jams.load(str(OUT / "song.jams"), validate=True, strict=True)
        tempo = document.search(namespace="tempo")[0].data[0]
        assert tempo.value == pytest.approx(RESULT["bpm"])
        assert len(document.search(namespace="beat_position")[0].data) == len(RESULT["rhythm"]["beats"])

    def test_lab_files_are_read_by_mir_eval(self) -> None:
        intervals, labels = mir_eval.io.load_labeled_intervals(str(OUT / "song.lab-chords"))
        for label in labels:
            mir_eval.chord.encode(label)
        # Chosen: more precise than the boundary of any chord.
        assert intervals[-1][1] == pytest.approx(RESULT["duration_seconds"], abs=0.01)
        sections, _ = mir_eval.io.load_labeled_intervals(str(OUT / "song.lab-sections"))
        assert len(sections) == len(RESULT["structure"]["sections"])
        # A millisecond allows for the rounding of both.
        times_seconds, positions = mir_eval.io.load_delimited(str(OUT / "song.lab-beats"), [float, int])
        assert times_seconds == pytest.approx(BEATS_SECONDS, abs=1e-3)
        assert positions == [beat["beat_in_bar"] for beat in RESULT["rhythm"]["beats"]]

    def test_rekordbox_has_the_tempo_on_a_beat_and_the_sections(self) -> None:
        xml = pyrekordbox.RekordboxXml(OUT / "song.rekordbox-xml")
        assert xml.num_tracks == 1
        track = xml.get_track(0)
        # The format has two decimals.
        assert float(track["AverageBpm"]) == pytest.approx(RESULT["bpm"], abs=0.005)
        # A millisecond allows for the rounding of both.
        assert min(abs(beat - track.tempos[0]["Inizio"]) for beat in BEATS_SECONDS) <= 1e-3
        cues_seconds = [mark["Start"] for mark in track.marks if mark["Num"] == -1]
        assert cues_seconds == pytest.approx([section["start_seconds"] for section in RESULT["structure"]["sections"]], abs=1e-3)

    def test_audacity_labels_are_rows_of_three(self) -> None:
        rows = list(csv.reader(io.StringIO(text("song.audacity")), delimiter="\t"))
        assert rows and all(len(row) == 3 and float(row[0]) <= float(row[1]) for row in rows)

    def test_csv_has_the_tempo(self) -> None:
        rows = list(csv.reader(io.StringIO(text("song.csv"))))
        assert any(row[0] == "summary" and row[3] == "bpm" and float(row[4]) == pytest.approx(RESULT["bpm"]) for row in rows)


def check_chordpro(content: str) -> None:
    assert re.search(r"^\{title: .+\}$", content, re.M)
    assert content.count("{start_of_grid") == content.count("{end_of_grid}") > 0
    bars = [line for line in content.splitlines() if line.startswith("|")]
    names = {cell for line in bars for cell in line.replace("|", " ").split() if cell not in (".", "N.C.")}
    for name in names:
        pychord.Chord(name)


def key_of(notation: str) -> tuple[int, str]:
    tonic = notation.removesuffix("m")
    return music21.pitch.Pitch(tonic.replace("b", "-")).pitchClass, "minor" if notation.endswith("m") else "major"


class TestCollection:
    def test_rekordbox_plays_the_order(self) -> None:
        xml = pyrekordbox.RekordboxXml(OUT / "collection.rekordbox")
        assert xml.num_tracks == len(ORDER)
        playlist = xml.get_playlist("Friday & later")
        tracks = [xml.get_track(TrackID=key) for key in playlist.get_tracks()]
        assert [track["Name"] for track in tracks] == [step["title"] for step in ORDER]
        for track, step in zip(tracks, ORDER):
            # The format has two decimals.
            assert float(track["AverageBpm"]) == pytest.approx(step["bpm"], abs=0.005)
            assert unquote(track["Location"]).endswith(".wav")
            assert FOLDER.lstrip("/") in track["Location"]
            assert track.tempos and track.tempos[0]["Battito"] in (1, 2, 3, 4)
            hot_seconds = [mark["Start"] for mark in track.marks if mark["Num"] >= 0]
            memory_seconds = [mark["Start"] for mark in track.marks if mark["Num"] == -1]
            # Every section is a memory cue, and the first eight are hot cues too. A short song may have none.
            assert hot_seconds == memory_seconds[:8]
        first_seconds = [mark["Start"] for mark in tracks[0].marks if mark["Num"] == -1]
        sections_seconds = [section["start_seconds"] for section in RESULT["structure"]["sections"]]
        assert first_seconds == pytest.approx(sections_seconds, abs=1e-3)

    def test_every_reason_is_true(self) -> None:
        """Checks the reasons against keys and tempi in the rekordbox file, and key relations computed here."""
        xml = pyrekordbox.RekordboxXml(OUT / "collection.rekordbox")
        tracks = [xml.get_track(TrackID=key) for key in xml.get_playlist("Friday & later").get_tracks()]
        for before, after, step in zip(tracks, tracks[1:], ORDER[1:]):
            reason = step["reason"]
            (a, mode_a), (b, mode_b) = key_of(before["Tonality"]), key_of(after["Tonality"])
            up_semitones = (b - a) % 12
            words = re.search(r"\d+[AB] to \d+[AB], ([^;]+);", reason)
            assert words, reason
            truth = {
                "the same key": mode_a == mode_b and up_semitones == 0,
                "its relative": (mode_a, mode_b, up_semitones) in (("minor", "major", 3), ("major", "minor", 9)),
                "a fifth higher": mode_a == mode_b and up_semitones == 7,
                "a fifth lower": mode_a == mode_b and up_semitones == 5,
                "two fifths higher": mode_a == mode_b and up_semitones == 2,
                "two fifths lower": mode_a == mode_b and up_semitones == 10,
                "a semitone higher": mode_a == mode_b and up_semitones == 1,
                "a semitone lower": mode_a == mode_b and up_semitones == 11,
            }
            said = words.group(1)
            assert truth[said] if said in truth else (said == "a far key" and not any(truth.values())), reason
            ratio = bpm_of(before) / bpm_of(after)
            shift_percent = min(((ratio * level - 1) * 100 for level in (1, 0.5, 2)), key=abs)
            tempo = re.search(r"(sped up|slowed) by ([\d.]+) %", reason)
            said_percent = 0.0 if tempo is None else float(tempo.group(2)) * (1 if tempo.group(1) == "sped up" else -1)
            # The reason has one decimal, and the tempi have two.
            assert said_percent == pytest.approx(shift_percent, abs=0.07), reason

    def test_the_order_is_better_than_the_one_it_was_made_from(self) -> None:
        def cost(steps: list[dict]) -> int:
            hours = [(int(step["camelot"][:-1]), step["camelot"][-1]) for step in steps]
            return sum(
                min((b - a) % 12, (a - b) % 12) + (letter_a != letter_b)
                for (a, letter_a), (b, letter_b) in zip(hours, hours[1:])
            )

        # Chosen: an order that ignores keys is far above half of the cost.
        by_name = sorted(ORDER, key=lambda step: step["title"])
        assert cost(ORDER) < cost(by_name) / 2

    def test_traktor_has_every_entry(self) -> None:
        from traktor_nml_utils import TraktorCollection

        collection = TraktorCollection(OUT / "collection.traktor")
        entries = collection.nml.collection.entry
        assert [entry.title for entry in entries] == [step["title"] for step in ORDER]
        for entry, step in zip(entries, ORDER):
            assert float(entry.tempo.bpm) == pytest.approx(step["bpm"], abs=1e-3)
            assert entry.location.file.endswith(".wav")
            assert any(cue.type == 4 for cue in entry.cue_v2)

    def test_serato_crate_names_the_files(self) -> None:
        from serato_tools.crate import Crate

        (OUT / "Friday.crate").write_bytes((OUT / "collection.serato").read_bytes())
        paths = [str(track) for track in Crate(str(OUT / "Friday.crate")).tracks()]
        assert len(paths) == len(ORDER) and all(FOLDER.lstrip("/") in path for path in paths)

    def test_virtualdj_is_xml_in_order(self) -> None:
        folder = ElementTree.parse(OUT / "collection.virtualdj").getroot()
        assert [song.get("title") for song in folder.iter("song")] == [step["title"] for step in ORDER]

    def test_m3u8_has_a_line_a_song(self) -> None:
        lines = text("collection.m3u8").splitlines()
        assert lines[0] == "#EXTM3U"
        paths = [line for line in lines if line and not line.startswith("#")]
        assert len(paths) == len(ORDER) and all(path.startswith(FOLDER) for path in paths)

    def test_csv_has_a_row_a_song(self) -> None:
        rows = list(csv.DictReader(io.StringIO(text("collection.csv"))))
        assert [row["job_id"] for row in rows] == [step["job_id"] for step in ORDER]

    def test_archives_hold_a_file_a_song(self, tmp_path: Path) -> None:
        for kind, ending in (("jams", ".jams"), ("chordpro", ".cho")):
            archive = zipfile.ZipFile(OUT / f"collection.{kind}")
            assert archive.testzip() is None and len(archive.namelist()) == len(ORDER)
            archive.extractall(tmp_path / kind)
            for path in sorted((tmp_path / kind).iterdir()):
                assert path.suffix == ending
                if kind == "jams":
                    jams.load(str(path), validate=True, strict=True)
                else:
                    check_chordpro(path.read_text(encoding="utf-8"))


def bpm_of(track: pyrekordbox.rbxml.Track) -> float:
    return float(track["AverageBpm"])
