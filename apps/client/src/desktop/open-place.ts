import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/**
 * Lets the desktop show a file, a folder or an address.
 * @param place an absolute path or a URL, so that no program takes it for an option
 * @returns false where there is no desktop, or no program that opens files
 */
export async function openPlace(place: string, environment: NodeJS.ProcessEnv): Promise<boolean> {
  const [program, ...words] = OPENERS[process.platform] ?? ['xdg-open']
  const hasDesktop = process.platform in OPENERS || environment['DISPLAY'] || environment['WAYLAND_DISPLAY']
  if (!hasDesktop) return false
  const child = spawn(program, [...words, place], { stdio: 'ignore', env: environment, detached: true })
  const isStarted = await once(child, 'spawn').then(
    () => true,
    () => false,
  )
  child.unref()
  return isStarted
}

/** Programs that keep a text for others to paste, and what they need. */
const CLIPBOARDS = [
  ['WAYLAND_DISPLAY', 'wl-copy'],
  ['DISPLAY', 'xclip', '-selection', 'clipboard'],
  ['DISPLAY', 'xsel', '--clipboard', '--input'],
] as const

/** @returns what puts a text into the clipboard; undefined where there is no program for it */
export async function clipboardOf(environment: NodeJS.ProcessEnv): Promise<((text: string) => void) | undefined> {
  for (const [display, program, ...words] of CLIPBOARDS) {
    if (!environment[display] || !(await isInPath(program, environment))) continue
    return (text) => {
      const child = spawn(program, words, { stdio: ['pipe', 'ignore', 'ignore'], env: environment, detached: true })
      // It was there a moment ago; a text that is not copied harms nobody.
      child.on('error', () => undefined)
      child.stdin.on('error', () => undefined)
      child.stdin.end(text)
      child.unref()
    }
  }
  return undefined
}

async function isInPath(program: string, environment: NodeJS.ProcessEnv): Promise<boolean> {
  for (const folder of (environment['PATH'] ?? '').split(delimiter)) {
    const isThere = await access(join(folder, program), constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isThere) return true
  }
  return false
}
