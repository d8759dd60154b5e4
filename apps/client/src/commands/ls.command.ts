import type { FileItem } from '@godwit/contract'
import { type Context, placeOf, signedIn, UsageError } from './context.ts'

/** godwit-client ls [FOLDER] */
export async function ls(context: Context): Promise<number> {
  const { words, output } = context
  const [folder = '/', ...more] = words
  if (more.length > 0) throw new UsageError('ls takes one folder')
  const { api } = await signedIn(context)
  const place = await placeOf(context, api)
  for (let cursor: string | null = null; ;) {
    const page = await api.list(place, folder, cursor)
    for (const item of page.items) output.emit('entry', { ...item }, describe(item))
    if (page.next === null) return 0
    cursor = page.next
  }
}

function describe({ name, file_type: type, size, time }: FileItem): string {
  const isFile = type === 'File'
  const changed = new Date(time * 1000).toISOString().slice(0, 16).replace('T', ' ')
  return `${(isFile ? String(size) : '').padStart(15)}  ${changed}  ${name}${isFile ? '' : '/'}`
}
