import { createVerify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { inflateRawSync } from 'node:zlib'
import type { SamlFacts } from './saml.launcher.ts'
import {
  samlAnswer,
  samlSignedOut,
  samlSignOut,
  signedQuery,
  signedXml,
  type SamlFault,
  type SignedName,
} from './saml-messages.ts'

/** A SAML 2.0 identity provider: signs what it says, checks what it is asked, and can be told to do it wrong. */
const [port = '', certificate = '', key = '', otherKey = '', facts = ''] = process.argv.slice(2)
const { people } = JSON.parse(facts) as SamlFacts
const origin = `https://localhost:${port}`
const issuer = `${origin}/metadata`
const signing = { issuer, key: readFileSync(key, 'utf8'), otherKey: readFileSync(otherKey, 'utf8') }

/** What the site's own metadata says. */
let site = { entityId: '', answersTo: '', signOutsTo: '', certificate: '' }

function trust(metadata: string): void {
  const value = (pattern: RegExp): string => pattern.exec(metadata)?.[1] ?? ''
  site = {
    entityId: value(/entityID="([^"]+)"/),
    answersTo: value(/AssertionConsumerService [^>]*Location="([^"]+)"/),
    signOutsTo: value(/SingleLogoutService [^>]*Location="([^"]+)"/),
    certificate: `-----BEGIN CERTIFICATE-----\n${value(/X509Certificate>([^<]+)</)}\n-----END CERTIFICATE-----\n`,
  }
}

/** @throws Error for a request that the site did not sign */
function requested(url: URL): string {
  const parts = url.search.slice(1).split('&')
  const raw = (name: string) => parts.find((part) => part.startsWith(`${name}=`))
  const text = [raw('SAMLRequest'), raw('RelayState'), raw('SigAlg')].filter((part) => part !== undefined).join('&')
  const verify = createVerify('sha256').update(text)
  const isSigned = verify.verify(site.certificate, url.searchParams.get('Signature') ?? '', 'base64')
  if (!isSigned) throw new Error('the request is not signed')
  return inflateRawSync(Buffer.from(url.searchParams.get('SAMLRequest') ?? '', 'base64')).toString('utf8')
}

function signedAddress(to: string, name: SignedName, xml: string, relayState = ''): string {
  return `${to}?${signedQuery(name, xml, { relayState, key: signing.key })}`
}

function metadata(): string {
  const body = readFileSync(certificate, 'utf8').replaceAll(/-----[A-Z ]+-----|\s/g, '')
  const [redirect, keyInfo] = [
    'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect',
    'http://www.w3.org/2000/09/xmldsig#',
  ]
  return `<?xml version="1.0"?><!-- written by hand -->
<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${issuer}">
  <md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
    <md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="${keyInfo}"><ds:X509Data><ds:X509Certificate>${body}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>
    <md:SingleLogoutService Binding="${redirect}" Location="${origin}/slo"/>
    <md:SingleSignOnService Binding="${redirect}" Location="${origin}/sso"/>
  </md:IDPSSODescriptor>
</md:EntityDescriptor>`
}

const page = (body: string): string =>
  `<!doctype html><html lang="en"><title>Provider</title><body>${body}</body></html>`
const hidden = (name: string, value: string): string =>
  `<input type="hidden" name="${name}" value="${value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}">`

function signIn(url: URL): string {
  const request = requested(url)
  const login = url.searchParams.get('login')
  if (login === null) {
    const kept = [...url.searchParams].map(([name, value]) => hidden(name, value)).join('')
    return page(`<form>${kept}<input name="login"><button type="submit">Sign in</button></form>`)
  }
  const asked = { id: /\bID="([^"]+)"/.exec(request)?.[1] ?? '', answersTo: site.answersTo, audience: site.entityId }
  const told = { login, attributes: people[login] ?? {} }
  const answer = samlAnswer(signing, asked, told, (url.searchParams.get('fault') ?? '') as SamlFault)
  const fields = hidden('SAMLResponse', answer) + hidden('RelayState', url.searchParams.get('RelayState') ?? '')
  return page(
    `<form method="post" action="${site.answersTo}">${fields}</form><script>document.forms[0].submit()</script>`,
  )
}

/** Where a browser goes that signs out here. */
function signOutOf(url: URL): string {
  const xml = samlSignOut(issuer, site.signOutsTo, url.searchParams.get('login') ?? '')
  if (url.searchParams.has('form')) return Buffer.from(signedXml(xml, 'LogoutRequest', signing.key)).toString('base64')
  return signedAddress(site.signOutsTo, 'SAMLRequest', xml, 'relayed')
}

async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const url = new URL(req.url ?? '', origin)
  const html = { 'content-type': 'text/html; charset=utf-8' }
  if (url.pathname === '/trust') {
    const chunks: Buffer[] = []
    for await (const chunk of req as AsyncIterable<Buffer>) chunks.push(chunk)
    trust(Buffer.concat(chunks).toString('utf8'))
    res.end()
  } else if (url.pathname === '/metadata') res.end(metadata())
  else if (url.pathname === '/sso') res.writeHead(200, html).end(signIn(url))
  else if (url.pathname === '/sign-out') res.end(signOutOf(url))
  else if (url.searchParams.has('SAMLResponse')) res.writeHead(200, html).end(page('You are signed out everywhere'))
  else {
    const id = /\bID="([^"]+)"/.exec(requested(url))?.[1] ?? ''
    const location = signedAddress(site.signOutsTo, 'SAMLResponse', samlSignedOut(issuer, site.signOutsTo, id))
    res.writeHead(302, { location }).end()
  }
}

createServer({ cert: readFileSync(certificate), key: readFileSync(key) }, (req, res) => {
  answer(req, res).catch((error: unknown) => res.writeHead(400).end(String(error)))
}).listen(Number(port), () => process.stdout.write('ready\n'))
