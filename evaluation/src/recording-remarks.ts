/** What is wrong with the worst answers on recordings, a line each: the answered beats laid against the annotated ones and the activation. */
export const RECORDING_REMARKS: Readonly<Record<string, string>> = {
  'blues.00088':
    'right tempo, every beat two fifths late: a shuffle whose off-beats are the louder, heard very plainly',
  'classical.00033': 'strings without onsets; the network hears nothing (0.7 a beat), rightly withheld',
  'classical.00080': 'free time (intervals vary by half), next to no onsets, rightly withheld',
  'classical.00090':
    'doubled: 51 is listed and would have F .67; slow and sustained, said with little confidence',
  'pop.00011': 'a ballad without drums; no listed level fits (best F .29), phase wanders',
  'classical.00048':
    'soft strings; no listed level fits (best F .29), the phase of what is heard wanders by a quarter of a beat',
  'classical.00069': 'right level, all beats an eighth of a beat early: soft attacks, annotated late',
  'classical.00042': 'counted in dotted values: two thirds of the tempo',
  'classical.00026': 'half the tempo, and no level that is listed fits (best F .39)',
  'jazz.00027': 'right tempo; slips between the beat and the off-beat of the swing',
  'reggae.00097':
    'one and a half times the tempo: the triplets of the organ; the true level is listed and lost',
  'classical.00017': 'half the tempo, beats a sixth early',
  'disco.00026':
    'right tempo; on the off-beat for half of the clip, where the hi-hat is louder than the drum',
  'hiphop.00034': 'doubled to 199: the hi-hats are plainer than the beat',
  'classical.00004': 'half the tempo; the true level is listed and lost',
  'blues.00025': 'right tempo; slips by a triplet in the second half',
  'rock.00042': 'doubled; the true level is listed and lost',
  'classical.00022': 'right level; does not follow the rubato (intervals vary by 13 %)',
  'pop.00041': 'doubled to 108 from 54; the true level is listed and lost to the common tempo',
  'metal.00045': 'doubled to 121 from 60; the same',
  'hiphop.00098': 'doubled to 212 from 106: all half beats are as plain as the beats',
  'metal.00026': 'halved: 262 is the annotation, 132 the answer',
  'classical.00009': 'a steady 60 and hardly an onset; withheld',
  'classical.00083': 'sustained, intervals vary by 7 %; the pulse is too weak, withheld',
  'hiphop.00094':
    'right tempo, every beat near half a beat off: the off-beats are counted as beats, steadily',
  'jazz.00049': 'slow and free (41 a minute, intervals vary by 16 %); withheld',
  'pop.00053': 'a steady 64 without drums that is not heard; withheld wrongly',
  'classical.00038': 'soft attacks and rubato (intervals vary by 9 %); withheld',
  'classical.00054': 'doubled; a twelfth of a beat early where it follows at all: intervals vary by 18 %',
  'jazz.00019': 'two thirds of the tempo: groups of three half beats are counted',
  'classical.00019': 'right level, an eighth of a beat early nearly throughout: soft attacks, annotated late',
  'blues.00092': 'two thirds of the tempo: a shuffle counted in dotted values',
  'blues.00032': 'a steady 125 that is not heard; withheld, and wrongly so',
  'classical.00032': 'quiet strings, one onset in ten seconds; rightly withheld',
  'classical.00037': '129 to the bar line and no attacks to hear it by; withheld',
  'classical.00041': 'slow, sustained, intervals vary by 6 %; withheld',
  'classical.00047': '50 a minute, as good as no onsets; withheld',
  'classical.00077': 'rubato (intervals vary by 11 %), soft attacks; withheld',
  'disco.00047':
    'a steady 50 without drums; a pulse of 122 that is in no ratio to it, said with little confidence',
  'jazz.00003': 'free (intervals vary by a fifth); rightly withheld',
  'blues.00031': 'near the tempo, slips to the off-beat after a quarter of the clip and stays there',
  'jazz.00056': 'right tempo, two fifths of a beat late: the off-beats of the swing are the louder',
  'rock.00094': 'right tempo, every beat half a beat off: the off-beats are counted as beats, steadily',
  'classical.00023': 'right level, a sixth of a beat early and wandering: soft attacks',
  'classical.00018': 'right level, a quarter of a beat early nearly throughout: soft attacks, annotated late',
  'classical.00046': 'halved: 132 is listed and would have F .52',
  'metal.00004':
    'right tempo, a quarter of a beat late throughout: between the beat and the off-beat of dense guitars',
  'jazz.00010': 'doubled; slow (55 a minute, intervals vary by 7 %), no listed level above F .40',
  'jazz.00000':
    'near the tempo, slips by half beats: intervals vary by 14 %; 132 is listed and would have F .53',
};
