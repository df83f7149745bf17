import { formatClock } from '../format.ts';
import { groupColour, type Result } from '../result.ts';

/** The form of the song: one button per section, equal letters in equal colours. */
export function SectionBar({ result, onSeek }: { result: Result; onSeek: (seconds: number) => void }) {
  const sections = result.structure?.sections ?? [];
  const percent = (seconds: number) => `${(100 * seconds) / result.duration_seconds}%`;
  return (
    <div className="sections">
      {sections.map((section) => (
        <button
          key={section.start_seconds}
          type="button"
          aria-label={`${section.group}, ${section.label}, from ${formatClock(section.start_seconds)}`}
          title={`${section.label}, ${formatClock(section.start_seconds)}`}
          style={{
            left: percent(section.start_seconds),
            width: percent(section.end_seconds - section.start_seconds),
            borderColor: groupColour(section.group),
          }}
          onClick={() => onSeek(section.start_seconds)}
        >
          {section.group} <span className="section-label">{section.label}</span>
        </button>
      ))}
    </div>
  );
}
