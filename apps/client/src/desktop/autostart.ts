import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { xdgFolder } from '../profiles/places.ts'
import { readIfThere, writeWhole } from '../profiles/profile.ts'
import { autostartEntry, menuEntry } from './desktop-entry.ts'

/** Freedesktop Autostart and Desktop Entry specifications: the session starts what lies here, menus show what lies there. */
export class Autostart {
  readonly #environment: NodeJS.ProcessEnv
  readonly #command: readonly string[]

  /** @param command starts this program, without its arguments */
  constructor(environment: NodeJS.ProcessEnv, command: readonly string[]) {
    this.#environment = environment
    this.#command = command
  }

  async isOn(): Promise<boolean> {
    return (await readIfThere(this.#autostartFile)) !== undefined
  }

  /** Starts the client with the session, or no longer; either way the menu of the desktop and addresses of pages open its page. */
  async set(isOn: boolean): Promise<void> {
    await this.#write(this.#menuFile, menuEntry(this.#command))
    if (isOn) await this.#write(this.#autostartFile, autostartEntry(this.#command))
    else await rm(this.#autostartFile, { force: true })
    await this.#index()
  }

  get #autostartFile(): string {
    return join(xdgFolder(this.#environment, 'XDG_CONFIG_HOME', '.config'), 'autostart', 'godwit-client.desktop')
  }

  get #menuFile(): string {
    return join(xdgFolder(this.#environment, 'XDG_DATA_HOME', '.local/share'), 'applications', 'godwit-client.desktop')
  }

  #write(file: string, text: string): Promise<void> {
    return writeWhole(dirname(file), file, text)
  }

  /** Desktops look addresses up in an index; where there is no program for it, they read the entries themselves. */
  async #index(): Promise<void> {
    const child = spawn('update-desktop-database', ['-q', dirname(this.#menuFile)], { stdio: 'ignore' })
    await once(child, 'close').catch(() => undefined)
  }
}
