/** A key is not to be trusted because it stands in what it signed. */
export function KeyNote() {
  return (
    <p className="text-xs">
      Computed in this page, from the bytes alone. Whether that is the key of your gateway only its
      own machine can tell: <code>palyra journal verify</code> prints it there, after{' '}
      <q>signed by</q>.
    </p>
  );
}
