import { rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { readIfThere, writeWhole } from '../profiles/profile.ts'

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

  /** Starts the client with the session, or no longer; either way the menu of the desktop opens its page. */
  async set(isOn: boolean): Promise<void> {
    await this.#write(this.#menuFile, this.#entry('open'))
    if (isOn) await this.#write(this.#autostartFile, this.#entry('run'))
    else await rm(this.#autostartFile, { force: true })
  }

  get #autostartFile(): string {
    const config = this.#environment['XDG_CONFIG_HOME'] ?? join(homedir(), '.config')
    return join(config, 'autostart', 'godwit-client.desktop')
  }

  get #menuFile(): string {
    const data = this.#environment['XDG_DATA_HOME'] ?? join(homedir(), '.local', 'share')
    return join(data, 'applications', 'godwit-client.desktop')
  }

  #write(file: string, text: string): Promise<void> {
    return writeWhole(dirname(file), file, text)
  }

  #entry(word: 'run' | 'open'): string {
    return [
      '[Desktop Entry]',
      'Type=Application',
      'Name=Godwit',
      'Comment=Send and receive large files',
      'Comment[zh_CN]=收发大文件',
      `Exec=${[...this.#command, word].map(quoted).join(' ')}`,
      'Terminal=false',
      'Categories=Network;FileTransfer;',
      '',
    ].join('\n')
  }
}

/** Desktop Entry specification, "The Exec key": in quotes these four are escaped, a percent sign is doubled, and each backslash once more. */
function quoted(word: string): string {
  const escaped = word.replaceAll(/["`$\\]/g, String.raw`\$&`).replaceAll('\\', '\\\\')
  return `"${escaped.replaceAll('%', '%%')}"`
}
