import { useState } from 'react';
import { SlidersHorizontal } from 'lucide-react';
import { Button } from '@palyra/ui';
import { FilterChips } from './filter-chips.tsx';
import { type JournalFilter, filterKey, withField, withKind } from './filter.ts';
import { KindSelect } from './kind-select.tsx';
import { MoreFilters } from './more-filters.tsx';
import { SearchField } from './search-field.tsx';

export interface FilterBarProps {
  readonly filter: JournalFilter;
  readonly onChange: (filter: JournalFilter) => void;
}

export function FilterBar({ filter, onChange }: FilterBarProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <search aria-label="Entries" className="flex flex-col gap-2">
      <div className="flex flex-wrap gap-2">
        <SearchField
          text={filter.text ?? ''}
          onSearch={(text) => onChange(withField(filter, 'text', text))}
        />
        <KindSelect onChoose={(kind) => onChange(withKind(filter, kind))} />
        <Button aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          <SlidersHorizontal size={15} aria-hidden="true" />
          Filters
        </Button>
      </div>
      {isOpen ? <MoreFilters key={filterKey(filter)} filter={filter} onChange={onChange} /> : null}
      <FilterChips filter={filter} onChange={onChange} />
    </search>
  );
}
