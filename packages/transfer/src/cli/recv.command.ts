import { resolve } from 'node:path'
import { once } from 'node:events'
import { systemClock } from '@godwit/base'
import { type Connection, listen } from '@godwit/transport/node'
import { receiveFiles, type ReceiveTask } from '../engines/receive-engine.ts'
import { TaskTurns } from '../engines/task-turns.ts'
import { TransferError } from '../errors/transfer-error.ts'
import { diskTarget } from '../targets/disk-target.ts'
import { type DiskThread, startDiskThread } from '../workers/disk-thread.ts'
import { DEFAULT_PORT, EXIT, numberOf, UsageError, type Values } from './arguments.ts'
import { describeResult, type Output } from './output.ts'
import { processUse, threadCpu } from './process-use.ts'
import { linkSettings } from './settings.ts'
import { newCode, serverTls } from './shared-code.ts'

/** gwt recv FOLDER */
export async function receive(words: readonly string[], values: Values, output: Output): Promise<number> {
  const [folder, ...more] = words
  if (folder === undefined || more.length > 0) throw new UsageError('recv needs one folder')
  const link = linkSettings(values)
  const code = values.code ?? newCode()
  const port = values.port === undefined ? DEFAULT_PORT : numberOf('port', values.port, { min: 0, max: 65_535 })
  const stopping = new AbortController()
  process.once('SIGINT', () => stopping.abort())
  process.once('SIGTERM', () => stopping.abort())
  const turns = new TaskTurns()
  // One thread waits ready, so that a transfer does not begin with a pause; the next one only when it is needed no more.
  let spare: DiskThread | undefined = startDiskThread('write')
  const takeThread = (): DiskThread => {
    const ready = spare ?? startDiskThread('write')
    spare = undefined
    return ready
  }
  let exit: number = EXIT.done
  /** With --once the first transfer that ends gives the exit code; those it cuts off do not. */
  let isDecided = false
  const running = new Set<Promise<void>>()
  const tasks = new Set<ReceiveTask>()
  const listener = await listen({
    host: values.host ?? '0.0.0.0',
    port,
    tls: serverTls(code),
    udp: link.udp,
    packetSize: link.packetSize,
    authorize: () => link.settings,
    onConnection(connection) {
      const service = { connection, thread: takeThread(), root: resolve(folder), turns, tasks, output }
      const served = serve({ ...service, windowGrowth: link.windowGrowth }).then((result) => {
        running.delete(served)
        if (!isDecided) exit = result ?? exit
        isDecided = values.once === true && (isDecided || result !== undefined)
        if (isDecided) stopping.abort()
        if (!stopping.signal.aborted) spare ??= startDiskThread('write')
      })
      running.add(served)
    },
  }).catch(async (error: unknown) => {
    // A thread that waits would keep a program alive that has nothing to do.
    await spare?.stop()
    throw error
  })
  const { local } = listener
  output.say(
    'listening',
    { port: local.port, udpPort: listener.udpPort, code, engines: listener.engines },
    `Ready on port ${local.port}. On the other machine:\n  gwt send FILES THIS-HOST:${local.port} --code ${code}`,
  )
  if (!stopping.signal.aborted) await once(stopping.signal, 'abort')
  for (const task of tasks) task.cancel()
  await listener.close()
  // Each of them has its files closed and its exit code told by then.
  await Promise.all(running)
  await spare?.stop()
  link.stop()
  return exit
}

interface Service {
  readonly connection: Connection
  readonly thread: DiskThread
  readonly root: string
  readonly windowGrowth: number
  readonly turns: TaskTurns
  /** Those that run, also before their sender has said what it is about. */
  readonly tasks: Set<ReceiveTask>
  readonly output: Output
}

/** @returns the exit code when the transfer ended for good; undefined when its sender may come back */
async function serve({
  connection,
  thread,
  root,
  windowGrowth,
  turns,
  tasks,
  output,
}: Service): Promise<number | undefined> {
  const begun = systemClock.monotonic()
  const gone = Promise.withResolvers<void>()
  const task: ReceiveTask = receiveFiles(
    {
      channel: connection,
      target: diskTarget(thread.call, root),
      nowMs: () => systemClock.monotonic(),
      cpu: threadCpu,
      events: {
        progress: (progress) => output.progress(progress),
        path: (report) => output.say('path', { ...report }, report.text),
        fileFailed: (failure) => output.say('file-failed', { ...failure }, `${failure.path}: ${failure.code}`),
      },
    },
    {
      windowGrowth,
      onOpen: (taskId) => turns.take(taskId, task, gone.promise),
    },
  )
  tasks.add(task)
  try {
    const result = await task.result
    const seconds = (systemClock.monotonic() - begun) / 1000
    const stats = connection.stats()
    output.say(
      'stats',
      {
        ...stats.session,
        ...processUse(),
        engines: stats.engines,
        tcpReceivedBytes: stats.tcpReceivedBytes,
      },
      stats.engines,
    )
    output.say('done', { ...result, seconds }, describeResult(result, seconds))
    return result.failures.length === 0 ? EXIT.done : EXIT.partial
  } catch (error) {
    if (!(error instanceof TransferError)) throw error
    output.say('failed', { code: error.code, ...error.details }, error.message)
    return error.code === 'PEER_LOST' ? undefined : EXIT.failed
  } finally {
    tasks.delete(task)
    await task.yieldTo()
    await thread.stop()
    gone.resolve()
  }
}
