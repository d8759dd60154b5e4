import Uppy from '@uppy/core'
import Tus from '@uppy/tus'
import { patterned } from './pattern.ts'

/** What a site that embeds Uppy writes; nothing in it knows Godwit but the address, the token and the folder. */

declare global {
  var sendWithUppy: (
    site: string,
    token: string,
    file: { readonly name: string; readonly size: number },
  ) => Promise<unknown>
}

globalThis.sendWithUppy = async (site, token, { name, size }) => {
  const headers = { authorization: `Bearer ${token}` }
  const uppy = new Uppy().use(Tus, { endpoint: `${site}/files/uploads`, chunkSize: 2_000_000, headers })
  uppy.addFile({ name, type: 'application/octet-stream', data: new Blob([patterned(size)]), meta: { folder: '/' } })
  const outcome = await uppy.upload()
  return { successful: outcome?.successful?.length, failed: outcome?.failed?.map(({ error }) => error) }
}
