/** Declares tests that only some machines can run. On others they are skipped, with the reason in their title. */
import test, {type ImplementationFn} from 'ava'

export type Declare = (title: string, implementation: ImplementationFn<[]>) => void

/**
 * Declares serial tests if the machine has what they need.
 *
 * @param reason  why it may not, as in "no openssl here"
 */
export function testWhen(isPossible: boolean, reason: string): Declare {
  return (title, implementation) => {
    if (isPossible) test.serial(title, implementation)
    else test.serial.skip(`${title} (${reason})`, implementation)
  }
}
