import readline from 'node:readline/promises'
import { Writable } from 'node:stream'

/** Asks a question at the terminal and shows nothing of what is typed. */
export async function askSecret(question: string): Promise<string> {
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = readline.createInterface({ input: process.stdin, output: silence, terminal: true })
  process.stderr.write(question)
  try {
    return await terminal.question('')
  } finally {
    terminal.close()
    process.stderr.write('\n')
  }
}
