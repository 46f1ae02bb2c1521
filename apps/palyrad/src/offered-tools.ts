import type { CataloguePort, ToolManifest, ToolSpec } from '@palyra/gateway';
import type { JsonObject } from '@palyra/kernel';

/** A tool with what a model has to know of it. */
interface Describable extends ToolManifest {
  readonly description: string;
  argumentsSchema(): JsonObject;
}

interface Declared {
  find(tool: string): Describable | undefined;
  all(): readonly Describable[];
}

/** A model is told of those tools that something here can carry out; of the others it would only be refused. */
export function offering(
  catalogue: Declared,
  isCarriedOut: (tool: string) => boolean,
): CataloguePort {
  let specs: readonly ToolSpec[] | undefined;
  return {
    find: (tool) => catalogue.find(tool),
    // Made at the first turn: a start does not wait for schemas.
    offered: () =>
      (specs ??= catalogue
        .all()
        .filter(({ name }) => isCarriedOut(name))
        .map(specOf)),
  };
}

function specOf(tool: Describable): ToolSpec {
  return { name: tool.name, says: tool.description, schema: tool.argumentsSchema() };
}
