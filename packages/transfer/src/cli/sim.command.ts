import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import {
  formatCell,
  MATRIX_HEAD,
  runMatrix,
  runSimulation,
  type SimulationOptions,
  type SimulationResult,
} from '@godwit/transport/sim'
import { renderQlog, renderSvg } from '@godwit/transport/trace'
import { EXIT, oneOf, UsageError } from './arguments.ts'

const HELP = `gwt sim: one transfer over a simulated line; the same options give the same trace on every machine.

  gwt sim --rtt 200 --loss 2 --rate 1000
  gwt sim --rate 100 --rtt 50 --flows 3 --cross cubic --seconds 60

  --rate M         bottleneck, Mbit/s of IP bytes (100)
  --rtt MS         round trip (50)
  --loss P         per cent lost on the way there (0); --reverse-loss P on the way back; --burst N mean burst length
  --jitter MS      packets of both ways overtake each other by up to this; --duplicates P per cent arrive twice
  --queue BDP      drop-tail queue in bandwidth-delay products (1)
  --seconds N      simulated time (30); --bytes N ends it when a file of that size has arrived
  --flows N        own flows side by side (1); --policy fair|high|low
  --cross KIND     a TCP flow beside: cubic, reno or bbr; may be repeated
  --ceiling M      policy limit, Mbit/s
  --seed N         chooses every random event (1)
  --out FILE       picture of throughput, RTT and window (gwt-sim.svg); --qlog FILE also the trace as qlog
  --matrix         the table of docs/transport-figures.md instead: 100 lines (minutes); --rate and --rtt
                   choose among them, --bytes sends a file over each as well
  --json           the result as one JSON object
`

const OPTIONS = {
  rate: { type: 'string', default: '100' },
  rtt: { type: 'string', default: '50' },
  loss: { type: 'string', default: '0' },
  'reverse-loss': { type: 'string', default: '0' },
  burst: { type: 'string' },
  jitter: { type: 'string', default: '0' },
  duplicates: { type: 'string', default: '0' },
  queue: { type: 'string', default: '1' },
  seconds: { type: 'string', default: '30' },
  bytes: { type: 'string' },
  flows: { type: 'string', default: '1' },
  policy: { type: 'string' },
  cross: { type: 'string', multiple: true },
  ceiling: { type: 'string' },
  seed: { type: 'string', default: '1' },
  out: { type: 'string', default: 'gwt-sim.svg' },
  qlog: { type: 'string' },
  matrix: { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

type SimValues = ReturnType<typeof parse>

/** gwt sim */
export function simulate(words: readonly string[]): number {
  const values = parse(words)
  if (values.help === true) {
    console.log(HELP)
    return EXIT.done
  }
  if (values.matrix === true) return printMatrix(words, values)
  const result = runSimulation(optionsOf(values))
  writeFileSync(values.out, renderSvg(result))
  if (values.qlog !== undefined) writeFileSync(values.qlog, renderQlog(result))
  console.log(values.json === true ? JSON.stringify(summaryOf(result, values.out)) : describe(result, values.out))
  return result.faults.length === 0 ? EXIT.done : EXIT.failed
}

function printMatrix(words: readonly string[], values: SimValues): number {
  const chosen = (name: 'rate' | 'rtt') => (words.includes(`--${name}`) ? [numeric(name, values[name])] : undefined)
  const ratesMbit = chosen('rate')
  const rttsMs = chosen('rtt')
  const choice = {
    ...(values.bytes === undefined ? {} : { fileBytes: numeric('bytes', values.bytes) }),
    ...(ratesMbit === undefined ? {} : { ratesMbit }),
    ...(rttsMs === undefined ? {} : { rttsMs }),
  }
  let faults = 0
  console.log(MATRIX_HEAD)
  for (const cell of runMatrix(numeric('seed', values.seed), choice)) {
    console.log(formatCell(cell))
    faults += cell.faults.length
  }
  return faults === 0 ? EXIT.done : EXIT.failed
}

function parse(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options: OPTIONS }).values
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'bad arguments')
  }
}

function optionsOf(values: SimValues): SimulationOptions {
  const policy = { kind: oneOf('policy', values.policy, ['fair', 'high', 'low']) }
  const way = {
    jitterUs: numeric('jitter', values.jitter) * 1000,
    duplicate: numeric('duplicates', values.duplicates) / 100,
  }
  return {
    seed: numeric('seed', values.seed),
    rateMbit: numeric('rate', values.rate),
    rttMs: numeric('rtt', values.rtt),
    lossPercent: numeric('loss', values.loss),
    reverseLossPercent: numeric('reverse-loss', values['reverse-loss']),
    ...{ forward: way, reverse: way },
    queueBdp: numeric('queue', values.queue),
    seconds: numeric('seconds', values.seconds),
    flows: Array.from({ length: Math.max(1, Math.trunc(numeric('flows', values.flows))) }, () => ({ policy })),
    cross: (values.cross ?? []).map((kind) => ({ kind: oneOf('cross', kind, ['cubic', 'reno', 'bbr']) })),
    ...(values.burst === undefined ? {} : { lossBurst: numeric('burst', values.burst) }),
    ...(values.bytes === undefined ? {} : { bytes: numeric('bytes', values.bytes) }),
    ...(values.ceiling === undefined ? {} : { ceilingMbit: numeric('ceiling', values.ceiling) }),
  }
}

function numeric(name: string, text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value) || value < 0)
    throw new UsageError(`--${name} takes a number, 0 or more`)
  return value
}

function summaryOf(result: SimulationResult, picture: string) {
  const { limitMbit, steadyShare, wholeShare, fairness, traceHash, crossMbit, faults } = result
  const flows = result.flows.map((flow) => ({
    wholeMbit: flow.wholeMbit,
    steadyMbit: flow.steadyMbit,
    finishedSeconds: flow.finishedSeconds,
    secondsTo90: flow.secondsTo90,
    lostPackets: flow.sender.lostPackets,
    spuriousPackets: flow.sender.spuriousPackets,
  }))
  return { limitMbit, steadyShare, wholeShare, fairness, crossMbit, flows, faults, traceHash, picture }
}

function describe(result: SimulationResult, picture: string): string {
  const flows = result.flows.map(
    (flow, index) =>
      `flow ${index + 1}: whole ${flow.wholeMbit.toFixed(1)}, steady ${flow.steadyMbit.toFixed(1)} Mbit/s, 90 % after ` +
      `${flow.secondsTo90?.toFixed(1) ?? '-'} s, ${flow.sender.lostPackets} packets lost, ${flow.sender.spuriousPackets} resent needlessly`,
  )
  const cross = result.crossMbit.map((rate, index) => `cross ${index + 1}: ${rate.toFixed(1)} Mbit/s`)
  return [
    ...flows,
    ...cross,
    `limit ${result.limitMbit.toFixed(1)} Mbit/s, whole ${result.wholeShare.toFixed(3)}, steady ${result.steadyShare.toFixed(3)} of it, fairness ${result.fairness.toFixed(3)}`,
    `trace ${result.traceHash}`,
    ...result.faults.map((fault) => `FAULT ${fault}`),
    `picture ${picture}`,
  ].join('\n')
}
