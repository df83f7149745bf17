/** What is wrong with the worst answers on recordings, written by hand from the scores and a plot of the spectrum and both sets of beats. */
export const RECORDING_REMARKS: Readonly<Record<string, string>> = {
  'classical.00009': 'sustained strings, annotated every second, with hardly an attack; withheld',
  'classical.00032': 'two held notes that swell, one attack in ten seconds; rightly withheld',
  'classical.00033':
    'strings that fade; the annotated beats go on through three seconds of near silence; rightly withheld',
  'classical.00038':
    'attacks every second or so, a tenth of a second and more beside the annotated beats, whose intervals vary by 9 %; withheld',
  'classical.00041': 'swells; notes begin far from the annotated beats (intervals vary by 6 %); withheld',
  'classical.00047': 'strings in tremolo, 50 BPM, no attacks; withheld',
  'classical.00048':
    'right tempo, between the annotated beats: the attacks lie there too, a third to a half of a beat late',
  'classical.00080': 'next to silence, beats up to three seconds apart; rightly withheld',
  'jazz.00027': 'right tempo, steadily on the off-beat of the swing (AMLt .97)',
  'jazz.00049': 'one voice with vibrato in free time (41 BPM, intervals vary by 16 %); withheld',
  'metal.00004': 'right tempo, a third of a beat late: four strokes a beat, all as loud',
  'pop.00053':
    'a voice nearly alone, 64 BPM; its phrases begin on the beat, which is not heard; withheld wrongly',
  'rock.00094': 'right tempo, steadily half a beat off: the off-beats are counted as beats',
  'blues.00088':
    'right tempo, every beat two fifths of a beat late: a shuffle whose off-beats are the louder',
  'blues.00031': 'near the tempo, half a beat off after a quarter of the clip, and it stays there',
  'pop.00011': 'a voice and a few strokes of a guitar, 61 BPM; answered at 76, which none of them follows',
  'disco.00047':
    'a voice over next to nothing, 50 BPM; a pulse of 123 BPM runs through it, said with little confidence',
  'classical.00023': 'right level, a sixth of a beat early and wandering: held strings, soft attacks',
  'classical.00018':
    'right level; on the beginnings of the notes, where the annotation is a sixth to a quarter of a beat later',
  'jazz.00019': 'two thirds of the tempo: groups of three half beats are counted',
};
