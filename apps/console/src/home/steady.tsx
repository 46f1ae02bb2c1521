import { Answer, type AnswerProps } from '../wire/answer.tsx';

/** As tall with nothing in it as with three rows and while it is waited for: what is below stays where it is. */
export function Steady<Data>(props: Omit<AnswerProps<Data>, 'lines'>) {
  return (
    <div className="min-h-36">
      <Answer {...props} lines={4} />
    </div>
  );
}
