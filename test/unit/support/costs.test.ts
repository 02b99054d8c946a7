/** The report of npm test -- --slowest. */
import test from 'ava'
import {costReport, processorSeconds} from '../../support/costs.ts'

test('the most expensive files come first, below the sums', t => {
  const costs = [
    {file: 'test/a.test.js', processorSeconds: 1.25, clockSeconds: 9},
    {file: 'test/b.test.js', processorSeconds: 12, clockSeconds: 20.04},
    {file: 'test/c.test.js', processorSeconds: 2, clockSeconds: 3},
  ]

  t.deepEqual(costReport(costs, 7.6, 2), [
    'processor time: 15 s in 3 files, 8 s in PostgreSQL',
    '   12.0 s (clock 20.0 s) test/b.test.js',
    '    2.0 s (clock 3.0 s) test/c.test.js',
  ])
})

test('the processor time of a process grows with its work; that of a missing process is 0', t => {
  const before = process.cpuUsage()
  const told = processorSeconds('self')
  const after = process.cpuUsage()
  const seconds = ({user, system}: NodeJS.CpuUsage) => (user + system) / 1e6

  t.is(processorSeconds(2 ** 30), 0)
  if (told === 0) return t.log('this system does not tell')
  t.true(told > seconds(before) - 0.1 && told < seconds(after) + 0.1, `${told} s, not ${seconds(before)}`)
})
