import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, posix } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from './steps.ts'

/** What no file of the repository may hold, whatever its kind. A linter sees only code. */

interface TextRule {
  readonly files: RegExp
  readonly forbidden: RegExp
  readonly because: string
}

const RULES: readonly TextRule[] = [
  {
    files: /(^|\/)package-lock\.json$/,
    forbidden: /"resolved": "https?:/,
    because: 'the lock file names no host: every machine has its own registry',
  },
  { files: /(^|\/)\.npmrc$/, forbidden: /registry\s*=/, because: 'every machine has its own registry' },
  { files: /./, forbidden: /^(<{7}|>{7}) /, because: 'a merge was not finished' },
  {
    files: /\.(ts|tsx|js)$/,
    forbidden: /(oxlint|eslint|oxfmt|prettier)-(disable|ignore)/,
    because: 'a rule holds everywhere or is changed in its configuration',
  },
  { files: /\.(ts|tsx)$/, forbidden: /\bas any\b/, because: 'a value of unknown type is unknown' },
]

/** Refuses text that breaks a rule, in every file that git tracks or would add. */
export async function checkText(): Promise<string> {
  const { stdout } = await promisify(execFile)('git', ['ls-files', '-z', '-c', '-o', '--exclude-standard'], {
    cwd: ROOT,
    maxBuffer: 2 ** 26,
  })
  const files = [...new Set(stdout.split('\0'))].filter((file) => file !== '')
  const faults = await Promise.all(
    files.map(async (file) => {
      const text = await contentOf(file)
      return [...textFaults(file, text, [ROOT, homedir()]), ...linkFaults(file, text, files)]
    }),
  )
  const found = faults.flat()
  if (found.length > 0) throw new Error(found.join('\n'))
  return `${files.length} files`
}

/**
 * @param file repository path
 * @param places folders of the machine that no file may name
 * @returns one line for each fault, with file and line
 */
export function textFaults(file: string, text: string, places: readonly string[]): readonly string[] {
  const rules = RULES.filter((rule) => rule.files.test(file) && !file.startsWith('scripts/text-rules.'))
  const homes = places.filter((place) => place.split('/').length > 2)
  return text
    .split('\n')
    .flatMap((line, at) => [
      ...rules.filter(({ forbidden }) => forbidden.test(line)).map(({ because }) => `${file}:${at + 1}: ${because}`),
      ...homes
        .filter((home) => line.includes(home))
        .map((home) => `${file}:${at + 1}: names this machine's folder ${home}`),
    ])
}

/**
 * @param files every path of the repository
 * @returns one line for each link of a Markdown page that leads to no file or folder of the repository
 */
export function linkFaults(file: string, text: string, files: readonly string[]): readonly string[] {
  if (!file.endsWith('.md')) return []
  const targets = [...text.matchAll(/\]\(([^)\s#]+)(?:#[^)\s]*)?\)/g)].map((match) => match[1] ?? '')
  // An address that begins with / is one of the running server.
  const local = targets.filter((target) => !/^([a-z]+:|\/)/.test(target))
  return local
    .map((target) => posix.join(posix.dirname(file), decodeURIComponent(target)).replace(/\/$/, ''))
    .filter((path) => path !== '.' && !files.some((known) => known === path || known.startsWith(`${path}/`)))
    .map((path) => `${file}: links to ${path}, which does not exist`)
}

async function contentOf(file: string): Promise<string> {
  try {
    const content = await readFile(join(ROOT, file))
    return content.subarray(0, 8_000).includes(0) ? '' : content.toString('utf8')
  } catch (error) {
    // Removed but still in git's index; or a link to a folder.
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'EISDIR')) return ''
    throw error
  }
}
