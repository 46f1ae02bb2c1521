import { useQuery } from '@tanstack/react-query';
import { visibleText } from '@palyra/kernel';
import { Permission } from '@palyra/protocol';
import { useMay } from '../app/caller.ts';
import { gateway } from '../wire/gateway.ts';

export interface ModelChoiceProps {
  /** Empty: the default. */
  readonly chosen: string;
  readonly onChoose: (model: string) => void;
}

/** Which model is asked; where there is no choice, which one it is. */
export function ModelChoice({ chosen, onChoose }: ModelChoiceProps) {
  const may = useMay(Permission.OBSERVABILITY_READ);
  const { data } = useQuery({
    queryKey: ['models', 'choices'],
    enabled: may,
    queryFn: ({ signal }) => gateway.models.listModels({}, { signal }),
  });
  const choices = data?.models.filter(({ isChoice }) => isChoice) ?? [];
  const preset = choices.find(({ isDefault }) => isDefault) ?? choices[0];
  if (preset === undefined) return null;
  if (choices.length === 1) {
    const name = visibleText(preset.name, 'one-line');
    return (
      <span title={name} className="min-w-0 truncate text-xs text-soft">
        {name}
      </span>
    );
  }
  return (
    <select
      aria-label="Model"
      value={chosen === '' ? preset.name : chosen}
      onChange={({ target }) => onChoose(target.value === preset.name ? '' : target.value)}
      className="h-8 max-w-full min-w-0 truncate rounded-lg border border-transparent bg-transparent px-1 text-xs text-soft hover:border-line hover:text-ink"
    >
      {choices.map(({ name }) => (
        <option key={name} value={name}>
          {visibleText(name, 'one-line')}
        </option>
      ))}
    </select>
  );
}
