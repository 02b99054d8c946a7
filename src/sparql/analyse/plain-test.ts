/** Tests that need nothing but their solution. */
import type {Expression} from '../algebra.ts'

/** Whether a test contains no EXISTS, so that it depends on its solution alone. */
export function isPlainTest(test: Expression): boolean {
  switch (test.type) {
    case 'exists':
      return false
    case 'call':
    case 'function':
      return test.arguments.every(isPlainTest)
    default:
      return true
  }
}
