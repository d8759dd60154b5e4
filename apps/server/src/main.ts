import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import fs from 'node:fs'
import type { Logger } from 'pino'
import { systemClock } from '@godwit/base'
import type { Locale } from '@godwit/i18n'
import { startApp, type App } from './start-app.ts'
import { restartProcess } from './restart.ts'
import { connectServiceManager, type Environment } from './service-manager.ts'
import { EXIT } from './cli/exit-codes.ts'
import type { Documentation } from './edge/documentation/index.ts'
import type { BuiltPage, DrawFirstView, WebFiles } from './edge/http/index.ts'
import type { StopOrder } from './foundation/server-state/index.ts'
import { lockDataFolder } from './foundation/installation/index.ts'
import { requireApart, type LoadedConfig } from './kernel/config/index.ts'
import { createLog } from './kernel/log.ts'
import { finishSwitch } from './oversight/maintenance/index.ts'

const ROOT = path.join(import.meta.dirname, '../../..')
const WEB_DIST = path.join(ROOT, 'apps/web/dist')
const DOCS = path.join(ROOT, 'docs')

interface Surroundings {
  readonly print: (line: string) => void
  readonly environment: Environment
}

/**
 * Serves until SIGINT, SIGTERM or the order of a person; a second signal ends at once, and so does a stop that takes longer than 20 s, with exit
 * code 7 and a line in the log that names the step.
 * @throws Refused, ConfigError and whatever else keeps the server from starting
 */
export async function serve(loaded: LoadedConfig, surroundings: Surroundings): Promise<void> {
  const { config } = loaded
  requireApart(config.data, ROOT)
  const lock = lockDataFolder(config.data, systemClock)
  let end: End
  try {
    end = await serveAlone(loaded, surroundings)
  } finally {
    lock.release()
  }
  if (end === 'restart') restartProcess()
}

type End = StopOrder | 'signal'

async function serveAlone({ config, sources }: LoadedConfig, { print, environment }: Surroundings): Promise<End> {
  const log = createLog(config['log.level'])
  // A bug that nobody waits for must not end the uploads of everyone else.
  process.on('unhandledRejection', (reason) => log.error({ err: reason }, 'a rejection that nobody handled'))
  const manager = await connectServiceManager(environment, log)
  await finishSwitch(config, log)
  const web = readWeb(WEB_DIST)
  const app = await startApp({ config, sources, log, web, documentation: readDocumentation() })
  // Before the line below: a program that waits for it may send the signal at once.
  const stopped = stopSignal()
  // In one piece, so that a program that waits for the first line has the others too.
  const addresses = [app.url, ...(app.tlsUrl === undefined ? [] : [app.tlsUrl])]
  print([...addresses.map((url) => `Godwit listens on ${url}`), ...setupLines(app)].join('\n'))
  manager.ready(`Listens on ${addresses.join(' and ')}`)
  const end = await Promise.race([stopped, app.stopOrder])
  if (end === 'restart') manager.reloading()
  else manager.stopping()
  if (end !== 'signal') log.warn({ order: end }, 'the server ends by order of an administrator')
  const watch = watchStop(log)
  await app.stop((step) => watch.step(step))
  // The process now ends by itself, unless something still keeps it alive.
  watch.step('process')
  return end
}

/** Settles with the first SIGINT or SIGTERM; a second one ends the process at once. */
function stopSignal(): Promise<'signal'> {
  return new Promise((resolve) => {
    const stop = () => {
      resolve('signal')
      process.once('SIGINT', () => process.exit(130))
      process.once('SIGTERM', () => process.exit(143))
    }
    process.once('SIGINT', stop)
    process.once('SIGTERM', stop)
  })
}

const STOP_MS = 20_000

/** A supervisor waits for the end of a process: one that does not come would hold up the next start. */
function watchStop(log: Logger): { step(name: string): void } {
  let current = 'none'
  const timer = setTimeout(() => {
    log.fatal({ step: current, alive: process.getActiveResourcesInfo() }, `stopping took longer than ${STOP_MS} ms`)
    process.exit(EXIT.stuck)
  }, STOP_MS)
  timer.unref()
  return { step: (name) => void (current = name) }
}

/** As the build lists its pages. */
interface BuiltEntry extends Omit<BuiltPage, 'html'> {
  readonly html: string
  /** What goes at the end of its head, by language. */
  readonly heads: Readonly<Record<Locale, string>>
}

/** @returns undefined when the pages were not built: the API then serves alone */
function readWeb(dist: string): WebFiles | undefined {
  const list = path.join(dist, 'pages.json')
  if (!fs.existsSync(list)) return undefined
  const firstViews = pathToFileURL(path.join(dist, 'server/first-view.js')).href
  const pages = JSON.parse(fs.readFileSync(list, 'utf8')) as readonly BuiltEntry[]
  return {
    assets: path.join(dist, 'assets'),
    pages: pages.map(({ html: file, heads, ...page }) => {
      const html = fs.readFileSync(path.join(dist, file), 'utf8')
      const inLanguage = (locale: Locale) => {
        const ofLanguage = html.replace('<html lang="en">', `<html lang="${locale}">`)
        return ofLanguage.replace('</head>', `${heads[locale]}\n  </head>`)
      }
      return { ...page, html: { 'zh-CN': inLanguage('zh-CN'), 'en-US': inLanguage('en-US') } }
    }),
    worker: fs.readFileSync(path.join(dist, 'worker.js')),
    async draw(...asked) {
      const { drawFirstView } = (await import(firstViews)) as { readonly drawFirstView: DrawFirstView }
      return drawFirstView(...asked)
    },
  }
}

function readDocumentation(): Documentation {
  return {
    async documents() {
      const files = await fs.promises.readdir(DOCS, { recursive: true, encoding: 'utf8' })
      const read = async (file: string) => ({
        name: file.slice(0, -'.md'.length).replaceAll(path.sep, '/'),
        markdown: await fs.promises.readFile(path.join(DOCS, file), 'utf8'),
      })
      return Promise.all(files.filter((file) => file.endsWith('.md')).map(read))
    },
    openApi: () => fs.promises.readFile(path.join(DOCS, 'api/openapi.json')),
    explorerRoot: path.dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json'))),
  }
}

function setupLines({ url, setupToken }: App): string[] {
  if (setupToken === undefined) return []
  return [`Create the first administrator: ${url}/setup#setup=${setupToken}`, `One-time set-up token: ${setupToken}`]
}
