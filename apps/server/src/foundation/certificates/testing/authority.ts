import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

const PROGRAM = 'openssl'

/** A certificate with its key, both PEM. */
export interface Pair {
  readonly certificate: string
  readonly key: string
}

export interface IssueOptions {
  /** As OpenSSL makes keys; default `rsa:2048`. */
  readonly kind?: readonly string[]
  readonly issuer?: string
  readonly isAuthority?: boolean
}

/** Certificates of every kind, right and wrong, made by OpenSSL in a folder. */
export function openAuthority(folder: string) {
  const run = (...words: readonly string[]): void =>
    void execFileSync(PROGRAM, words, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
  const read = (name: string): string => fs.readFileSync(path.join(folder, name), 'utf8')
  fs.writeFileSync(path.join(folder, 'extensions'), extensionFile())

  /** @param name becomes the subject and the first name */
  function issue(name: string, options: IssueOptions = {}): Pair {
    const { kind = ['rsa:2048'], issuer, isAuthority = false } = options
    const names = isAuthority ? [] : ['-addext', `subjectAltName=DNS:${name}`]
    const signer = issuer === undefined ? [] : ['-CA', `${issuer}.pem`, '-CAkey', `${issuer}.key`]
    const basics = ['-addext', `basicConstraints=critical,CA:${isAuthority ? 'TRUE' : 'FALSE'}`]
    run(
      ...['req', '-x509', '-new', '-nodes', '-newkey', ...kind, '-subj', `/CN=${name}`, '-config', 'extensions'],
      ...['-keyout', `${name}.key`, '-out', `${name}.pem`, '-days', '3650', ...names, ...basics, ...signer],
    )
    return { certificate: read(`${name}.pem`), key: read(`${name}.key`) }
  }

  return {
    issue,
    /** The key of an issued pair behind a passphrase, in the form of PKCS #8 or the older one. */
    encrypted(name: string, form: 'pkcs8' | 'traditional'): string {
      const kind = form === 'pkcs8' ? [] : ['-traditional']
      run('rsa', '-in', `${name}.key`, '-aes128', '-passout', 'pass:Sunrise-42x', ...kind, '-out', `${name}.locked`)
      return read(`${name}.locked`)
    },
  }
}

function extensionFile(): string {
  return '[req]\ndistinguished_name=name\nprompt=no\n[name]\nCN=x\n'
}
