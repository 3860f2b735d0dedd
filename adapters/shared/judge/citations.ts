/** The sources that a model server names outside the text of its answer. */
import { citationsOf, mergeCitations, recordOf } from '../../../src/domain/oracle/citations';
import type { Citation } from '../../../src/domain/oracle/vote';

/**
 * Reads the forms of three APIs:
 * - chat completions: `message.annotations[].url_citation`, and `citations` or `search_results` at the top;
 * - Responses API: `output[].content[].annotations[]`;
 * - AI SDK: `sources[]`.
 */
export function annotatedCitations(answer: unknown): Citation[] {
  const body = recordOf(answer);
  const messages = listOf(body.choices).map((choice) => recordOf(recordOf(choice).message));
  const contents = listOf(body.output)
    .flatMap((item) => listOf(recordOf(item).content))
    .map(recordOf);
  const annotations = [...messages, ...contents]
    .flatMap((part) => listOf(part.annotations))
    .map((annotation) => ({ ...recordOf(annotation), ...recordOf(recordOf(annotation).url_citation) }));
  return mergeCitations(
    citationsOf(annotations),
    citationsOf(body.citations),
    citationsOf(body.search_results),
    citationsOf(body.sources),
  );
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}
