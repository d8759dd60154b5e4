import { INCOMING } from '@godwit/contract/content/incoming'

/** Keeps what was shared beside what already waits, and opens the page that asks where it goes. */
export async function receive(request: Request): Promise<Response> {
  try {
    const form = await request.formData()
    const files = form.getAll(INCOMING.files).filter((entry) => entry instanceof File)
    const text = sharedText(form)
    const all = text === undefined ? files : [...files, text]
    const cache = await caches.open(INCOMING.cache)
    const orders = (await cache.keys()).map(({ url }) => Number(new URL(url).search.slice(1)))
    let order = Math.max(0, ...orders)
    for (const file of all) {
      order += 1
      const headers = { 'content-type': file.type, 'last-modified': new Date(file.lastModified).toUTCString() }
      await cache.put(`${INCOMING.page}/${encodeURIComponent(file.name)}?${order}`, new Response(file, { headers }))
    }
    return Response.redirect(INCOMING.page, 303)
  } catch {
    // The page says so; what was shared is still with the app that shared it.
    return Response.redirect(`${INCOMING.page}?${INCOMING.failed}`, 303)
  }
}

/** A shared address or text becomes a file of its own. */
function sharedText(form: FormData): File | undefined {
  const { title, text, url } = INCOMING.fields
  const [name = '', ...lines] = [title, text, url].map((field) => textOf(form.get(field)))
  const written = lines.filter((line) => line !== '')
  if (written.length === 0) return undefined
  const [first = ''] = written
  // Names that no storage takes are put right when the file is uploaded; a slash would end the name.
  const base = (name || first)
    .replaceAll(/[\\/:*?"<>|\s]+/g, ' ')
    .trim()
    .slice(0, 80)
  return new File([`${[name, ...written].filter((line) => line !== '').join('\n')}\n`], `${base}.txt`, {
    type: 'text/plain',
  })
}

function textOf(field: FormDataEntryValue | null): string {
  return typeof field === 'string' ? field.trim() : ''
}
