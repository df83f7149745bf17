import type { ComponentProps, ReactNode } from 'react';
import { FILTER_CHARACTERS_MAX } from '../service-limits.ts';
import { KeyWheel } from '../ui/key-wheel.tsx';
import { isFiltered, type Search, WHOLE_LIBRARY } from './search.ts';

type Props = { search: Search; onChange: (search: Search) => void };

/** Every change searches at once. */
export function Filters({ search, onChange }: Props) {
  const toggleKey = (camelot: string) => {
    const keys = search.keys.includes(camelot)
      ? search.keys.filter((key) => key !== camelot)
      : [...search.keys, camelot];
    onChange({ ...search, keys });
  };
  return (
    <aside className="filters" aria-label="Filters">
      <FilterGroup title="Tempo">
        <div className="row">
          <TempoField
            label="From"
            bpm={search.bpmMin}
            onChange={(bpmMin) => onChange({ ...search, bpmMin })}
          />
          <TempoField label="To" bpm={search.bpmMax} onChange={(bpmMax) => onChange({ ...search, bpmMax })} />
        </div>
      </FilterGroup>
      <FilterGroup title="Key">
        <KeyWheel selected={search.keys} onToggle={toggleKey} />
      </FilterGroup>
      <FilterGroup title="Energy">
        <label>
          At least {Math.round((search.energyMin ?? 0) * 100)} %
          <input
            type="range"
            min={0}
            max={100}
            step={5}
            value={Math.round((search.energyMin ?? 0) * 100)}
            onChange={(event) => {
              const percent = Number(event.target.value);
              onChange({ ...search, energyMin: percent === 0 ? null : percent / 100 });
            }}
          />
        </label>
      </FilterGroup>
      <FilterGroup title="Voice">
        <select
          aria-label="Voice"
          value={search.voice ?? ''}
          onChange={(event) => {
            const { value } = event.target;
            onChange({ ...search, voice: value === 'yes' || value === 'no' ? value : null });
          }}
        >
          <option value="">any</option>
          <option value="yes">with voice</option>
          <option value="no">instrumental</option>
        </select>
      </FilterGroup>
      <FilterGroup title="Genre">
        <TextField label="Genre" value={search.genre} onChange={(genre) => onChange({ ...search, genre })} />
      </FilterGroup>
      <FilterGroup title="Tag">
        <TextField label="Tag" value={search.tag} onChange={(tag) => onChange({ ...search, tag })} />
      </FilterGroup>
      {isFiltered(search) && (
        <button
          type="button"
          className="quiet"
          onClick={() => onChange({ ...WHOLE_LIBRARY, sort: search.sort, descending: search.descending })}
        >
          Clear filters
        </button>
      )}
    </aside>
  );
}

function FilterGroup({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** What the arrows of a field reach: wider than the tempo of nearly any music. Any number can be typed. */
const BPM_MIN = 20;
const BPM_MAX = 400;

function TempoField(props: { label: string; bpm: number | null; onChange: (bpm: number | null) => void }) {
  const { label, bpm, onChange } = props;
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: CommittedInput is the control.
    <label>
      {label}
      <CommittedInput
        type="number"
        className="narrow-field"
        min={BPM_MIN}
        max={BPM_MAX}
        step="any"
        text={bpm === null ? '' : String(bpm)}
        onCommit={(text) => onChange(text === '' ? null : Number(text))}
      />
    </label>
  );
}

function TextField(props: { label: string; value: string | null; onChange: (value: string | null) => void }) {
  const { label, value, onChange } = props;
  return (
    <CommittedInput
      aria-label={label}
      maxLength={FILTER_CHARACTERS_MAX}
      placeholder="any"
      text={value ?? ''}
      onCommit={(text) => onChange(text.trim() || null)}
    />
  );
}

type CommittedInputProps = ComponentProps<'input'> & { text: string; onCommit: (text: string) => void };

/** Commits on blur or Enter. The text is its key, so that clearing the filters clears the field as well. */
function CommittedInput({ text, onCommit, ...input }: CommittedInputProps) {
  return (
    <input
      {...input}
      key={text}
      defaultValue={text}
      onBlur={({ target }) => target.value !== text && onCommit(target.value)}
      onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
    />
  );
}
