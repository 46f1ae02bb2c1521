import { Select } from '@palyra/ui';
import { KIND_GROUPS, choiceWords } from './kind-groups.ts';

/** Adds a kind, or all kinds of a group, to those that are shown. */
export function KindSelect({ onChoose }: { readonly onChoose: (kind: string) => void }) {
  return (
    <div>
      <Select
        aria-label="Show only a kind"
        className="max-w-40"
        value=""
        onChange={({ target }) => onChoose(target.value)}
      >
        <option value="">Any kind</option>
        {KIND_GROUPS.map(({ prefix, name, kinds }) => (
          <optgroup key={prefix} label={name}>
            {kinds.length > 1 ? <option value={prefix}>{choiceWords(prefix)}</option> : null}
            {kinds.map((kind) => (
              <option key={kind} value={kind}>
                {choiceWords(kind)}
              </option>
            ))}
          </optgroup>
        ))}
      </Select>
    </div>
  );
}
