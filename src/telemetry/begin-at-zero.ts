/**
 * Shows a labelled counter as 0 before its first event.
 *
 * Without this the first event creates the series with the value 1. Prometheus' `increase()` and `rate()` compare two
 * samples of a series, so they would miss that event.
 */
type LabelledCounter = {readonly labels: (value: string) => {readonly inc: (by: number) => void}}

/** @param values  the values of the counter's only label */
export function beginAtZero<Counter extends LabelledCounter>(counter: Counter, values: readonly string[]): Counter {
  for (const value of values) counter.labels(value).inc(0)
  return counter
}
