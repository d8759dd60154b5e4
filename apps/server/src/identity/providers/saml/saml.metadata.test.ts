import { describe, expect, it } from 'vitest'
import { makeSelfSigned } from '../../../foundation/certificates/index.ts'
import { readMetadata } from './saml.metadata.ts'

const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'
const NOW = Date.now()

async function metadataWith(signOut: string): Promise<string> {
  const made = { names: ['idp.example.org'], days: 2, now: NOW, serial: new Uint8Array(16).fill(1) }
  const body = (await makeSelfSigned(made)).certificate.replaceAll(/-----[A-Z ]+-----|\s/g, '')
  return `<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="idp">
<md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
<md:KeyDescriptor><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data>
<ds:X509Certificate>${body}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>
<md:SingleLogoutService Binding="${REDIRECT}" Location="${signOut}"/>
<md:SingleSignOnService Binding="${REDIRECT}" Location="https://idp.example.org/sso"/>
</md:IDPSSODescriptor></md:EntityDescriptor>`
}

describe('an address in the metadata of a provider', () => {
  it('is read without the spaces around it', async () => {
    const { signInUrl, signOutUrl } = readMetadata(await metadataWith(' https://idp.example.org/slo\n'), NOW)
    expect([signInUrl, signOutUrl]).toEqual(['https://idp.example.org/sso', 'https://idp.example.org/slo'])
  })

  it.each([
    'http://idp.example.org/slo',
    '\u001Fhttps://idp.example.org',
    'https://idp.example.org/&#10;x',
    'javascript:1',
  ])('is refused as %j', async (address) => {
    const text = await metadataWith(address)
    expect(() => readMetadata(text, NOW)).toThrow('SAML_METADATA_INVALID')
  })
})
