import type { Contract } from '../../testing/conformance/runner';

/** What a faulty adapter does, the test of a suite that finds it, and the sentence in its report. */
export interface Found<Fault, Sentence extends string> {
  does: string;
  fault: Fault;
  test: string;
  sentence: Sentence;
}

/** The faults that one test reports with one sentence. The keys of `faults` become `does`. */
export function foundBy<const Fault, Sentence extends string>(
  test: string,
  sentence: Sentence,
  faults: Readonly<Record<string, Fault>>,
): Found<Fault, Sentence>[] {
  return Object.entries(faults).map(([does, fault]) => ({ does, fault, test, sentence }));
}

/** A report that says first what was seen, and then names the sentence. */
export function reportOf<Key extends string>({ port, sentences }: Contract<Key>, key: Key): RegExp {
  const sentence = sentences[key].replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(
    `^${port}: .+\n(?:.+\n)*The contract of the port ${port} is broken: “${sentence}”\nRead: .+$`,
  );
}
