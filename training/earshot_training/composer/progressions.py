"""Progressions by idiom, as Roman numerals (see harmony.py). Common property of their idioms, no song's in particular."""

# Idiom -> mode -> progressions. The mode is what a listener would call the key.
PROGRESSIONS: dict[str, dict[str, list[str]]] = {
    "pop": {
        "major": [
            "I V vi IV", "I IV V I", "vi IV I V", "I vi IV V", "I IV I V", "IV V I I", "ii V I I", "I iii IV V",
            "I IV vi V", "I I IV IV", "I I V V", "IV I V vi", "I V IV IV", "iii vi ii V", "I Vsus4 vi IV",
            "I V/7 vi IV", "Iadd9 V vi7 IVmaj7", "I bVII IV I", "I III7 IV iv", "I ii IV V", "I iii vi IV",
        ],
        "minor": [
            "i bVI bIII bVII", "i iv v i", "i bVII bVI V", "i iv i V", "i bVI iv V", "i i iv iv", "bVI bVII i i",
            "i bIII bVII iv", "i i bVI bVII", "i v i v", "i bVII bVI bVII", "i iv bVII bIII", "i bIII bVI V7",
            "iv i V i", "i7 iv7 bVII bIIImaj7",
        ],
    },
    # Slow ballads of eight-slot phrases: stepwise basses, sevenths, suspended dominants, borrowed minor fours.
    "ballad": {
        "major": [
            "I V/7 vi iii/5 IV I/3 ii7 V", "I V/7 vi I/5 IV I/3 ii V7", "IV V iii vi ii V I I",
            "IVmaj7 V iii7 vi7 ii7 V7 I I", "I iii IV V I iii IV V", "vi iii IV I ii I/3 IV V",
            "I vi IV V iii vi ii V", "I Iadd9 IV V I/3 vi ii7 Vsus4", "IV V I V/7 vi ii V I", "vi IV V I vi IV V V",
            "I V vi IV I V IV I", "I/3 IV V I I/3 IV Vsus4 V", "I Imaj7 IV iv I vi ii V7", "IV iv I I7 IV V iii vi",
            "vi V IV I/3 ii V I I", "I III7 vi I7 IV V I V", "I IV/1 V/1 I vi ii V I", "ii V iii vi ii V Isus4 I",
            "I V/7 bVII IV/6 iv/b6 I/5 II7 V", "I V vi V IV I/3 ii V", "IV I/3 ii I IV I/3 ii V",
            "I IV V vi I IV V I", "vi vi/5 IV V I I/7 IV V", "I bVII/1 IV/1 iv/1 I ii V I",
        ],
        "minor": [
            "i v/b7 bVI bIII iv i/b3 ii7 V", "i bVII bVI V i bVII bVI V", "i bVI bVII bIII iv i V i",
            "i bIII bVII iv i bVI V V", "bVI bVII i i bVI bVII i i", "iv bVII bIII bVI iiø V i i",
            "i i/b7 bVI V7 i iv V i", "i v bVI bIII bVI bIII iv V", "bVI bVII v i iv v bVI bVII",
            "i bVI bIII bVII i bVI bIII bVII", "i iv bVII bIII bVI iv V7sus4 V7", "i Vsus4 i bVII bVI iv V i",
            "i7 iv7 v7 i7 bVImaj7 iv7 V V", "bVI V i i bVI bVII bIII V",
        ],
    },
    "jazz": {
        "major": [
            "ii7 V7 Imaj7 Imaj7", "Imaj7 vi7 ii7 V7", "iii7 VI7 ii7 V7", "Imaj7 IV7 iii7 VI7", "ii7 V7 Imaj7 VI7",
            "Imaj7 Imaj7 ii7 V7", "iv7 bVII7 Imaj7 Imaj7", "Imaj7 #io7 ii7 V7", "II7 II7 ii7 V7", "I6 vi7 II7 V7",
            "Imaj7 III7 VI7 II7", "IVmaj7 iv6 iii7 VI7",
        ],
        "minor": [
            "iiø V7 i7 i7", "i7 iv7 iiø V7", "i6 i6 iiø V7", "iv7 bVII7 bIIImaj7 bVImaj7", "i7 bVI7 V7 i7",
            "i7 i7 iv7 iv7", "i9 i9 bII7 i9",
        ],
    },
    "blues": {
        "major": [
            "I7 I7 I7 I7 IV7 IV7 I7 I7 V7 IV7 I7 V7", "I7 IV7 I7 I7 IV7 IV7 I7 I7 V7 IV7 I7 I7",
            "I7 I7 I7 I7 IV7 IV7 I7 I7 V7 V7 I7 I7", "I7 IV7 I7 I7 IV7 #ivo7 I7 VI7 ii7 V7 I7 V7",
            "I I I I7 IV IV I I V IV I V7", "I7 I7 IV7 IV7 V7 IV7 I7 I7",
        ],
        "minor": [
            "i7 i7 i7 i7 iv7 iv7 i7 i7 bVI7 V7 i7 i7", "i i i i iv iv i i V iv i V7", "i7 iv7 i7 i7 iv7 iv7 i7 i7 v7 iv7 i7 i7",
        ],
    },
    "rock": {
        "major": [
            "I bVII IV I", "I IV I IV", "I I bVII IV", "I IV V IV", "I V IV I", "I bIII IV I", "I5 bVII5 IV5 IV5",
            "I I I I IV IV V V", "I bVI bVII I", "I V vi IV", "vi IV I V",
        ],
        "minor": [
            "i bVII bVI bVII", "i bVI bVII i", "i bIII iv bVI", "i5 bVI5 bVII5 i5", "i i i i", "i iv bVI bVII",
            "i bVII iv i", "i i bIII bVII", "i bVI bIII bVII",
        ],
    },
    "metal": {
        "minor": [
            "i5 i5 i5 bII5", "i5 bVI5 bVII5 i5", "i5 i5 bIII5 bII5", "i5 bVII5 bVI5 V5", "i5 i5 i5 i5", "i5 bV5 i5 bVI5",
            "i5 bVI5 bIII5 bVII5", "i5 iv5 bVI5 bVII5", "i bVI iv V", "i5 i5 bVI5 bVII5",
        ],
    },
    "vamp": {
        "major": ["I I I I", "I IV I IV", "I bVII I bVII", "I7 I7 IV7 IV7", "Imaj7 IVmaj7 Imaj7 IVmaj7", "I ii I ii"],
        "minor": [
            "i i i i", "i7 IV7 i7 IV7", "i bVII i bVII", "i7 i7 iv7 iv7", "i bVI i bVI", "i9 i9 iv9 iv9", "i i bVI v",
        ],
    },
    "classical": {
        "major": [
            "I I V7 I I IV V7 I", "I IV I V I IV V I", "I V/7 I/3 IV I/5 V7 I I", "I vi IV V I ii/4 V7 I",
            "I V vi iii IV I IV V", "I ii/4 V7 I vi II7 V V", "I IV/1 V7/1 I ii6 V7 I V", "I I7 IV V7 I V7/2 I/3 V",
            "vi III7 vi II7 V V7 I I", "I V7/4 I/3 IV V V7 I I",
        ],
        "minor": [
            "i iv V i i iv V7 i", "i V/7 i/b3 iv i/5 V7 i i", "i bVI iv V i iiø V7 i", "i iv bVII bIII bVI iiø V i",
            "i V7 i V bIII bVII bVI V", "i bVII bVI V i iv V i", "i V7/2 i/b3 iv V V7 i V",
        ],
    },
    "folk": {
        "major": ["I IV I V", "I V I V", "I I IV I I I V V", "I IV V I", "I bVII I bVII", "vi IV I V", "I IV I I V IV I I"],
        "minor": ["i bVII i bVII", "i bVII bVI bVII", "i iv i V", "i bIII bVII i", "i v i v"],
    },
    "gospel": {
        "major": [
            "I I7 IV #ivo7 I/5 VI7 II7 V7", "I III7 vi I7 IV iv I/5 V7", "I IV I V7", "I I/3 IV IV I/5 V7 I V7",
        ],
        "minor": ["i iv V7 i i iv V7 V7", "i i7 iv bVI i/5 V7 i V7"],
    },
    "andalusian": {
        "minor": ["iv bIII bII I", "I bII I bII", "I I bII bII", "iv bIII bII I I bII I I", "bvii iv bII I"],
    },
    "drone": {"major": ["I5 I5 I5 I5", "I I I I"], "minor": ["i5 i5 i5 i5", "i i i i"]},
    "ambient": {
        "major": ["Imaj7 IVmaj7", "Iadd9 vi7 IVmaj7 Isus2", "Isus2 IVsus2", "I vi iii IV"],
        "minor": ["i9 bVImaj7", "i7 bVImaj7 bIIImaj7 bVII", "i7 bVI iv i", "i v bVI iv"],
    },
}
