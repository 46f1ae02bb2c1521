import { Field, Input, Select } from '@palyra/ui';
import { A_TIME, type End, SPANS } from './until.ts';

export interface UntilFieldProps {
  readonly end: End;
  readonly onEnd: (end: End) => void;
}

export function UntilField({ end, onEnd }: UntilFieldProps) {
  return (
    <>
      <Field label="Until">
        {(id) => (
          <Select
            id={id}
            className="w-52"
            value={end.span}
            onChange={({ target }) => onEnd({ ...end, span: target.value })}
          >
            {SPANS.map(([span, says]) => (
              <option key={span} value={span}>
                {says}
              </option>
            ))}
            <option value={A_TIME}>A time, within 30 days</option>
          </Select>
        )}
      </Field>
      {end.span === A_TIME ? (
        <Field label="Time">
          {(id) => (
            <Input
              id={id}
              type="datetime-local"
              className="w-56"
              value={end.local}
              onChange={({ target }) => onEnd({ ...end, local: target.value })}
            />
          )}
        </Field>
      ) : null}
    </>
  );
}
