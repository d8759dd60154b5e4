import { LIMITS } from '@godwit/contract/limits'
import { useEffect, useMemo } from 'react'
import type { FileOperations } from '../../../lib/file-operations.ts'
import type { Place } from '../../../lib/file-socket.ts'
import { isTransient } from '../../../lib/http.ts'
import type { PreviewFile } from './view-props.ts'

const RETRIES = 3
const RETRY_MS = 1_000

/**
 * What the preview log of the server has open for one preview of one file. Whatever was begun is ended, also when its answer comes
 * after the preview was closed, or came a moment before and was never shown.
 */
export class OpenViews {
  readonly #operate: FileOperations
  readonly #path: string
  readonly #ids = new Set<string>()
  #isClosed = false

  constructor(operate: FileOperations, path: string) {
    this.#operate = operate
    this.#path = path
  }

  /** Asks how the file is shown, which begins a view unless there is nothing to look at. @throws ApiError */
  async begin(place: Place): Promise<PreviewFile> {
    const shown = await this.#operate('preview', { ...place, path: this.#path })
    this.#end()
    if (shown.viewId !== '') this.#ids.add(shown.viewId)
    if (this.#isClosed) this.#end()
    return shown
  }

  open(): void {
    this.#isClosed = false
  }

  /** Says that they are still looked at. One report that is lost costs the log no more than the time to the next. */
  renew(): void {
    for (const viewId of this.#ids) void this.#report(viewId, false).catch(() => undefined)
  }

  close(): void {
    this.#isClosed = true
    this.#end()
  }

  #end(): void {
    for (const viewId of this.#ids) void this.#reportEnd(viewId)
    this.#ids.clear()
  }

  /** Without an answer the server ends the view by itself, after two reports that did not come. */
  async #reportEnd(viewId: string): Promise<void> {
    for (let attempt = 0; attempt <= RETRIES; attempt++) {
      try {
        return await this.#report(viewId, true)
      } catch (error) {
        if (!isTransient(error)) return
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }

  async #report(viewId: string, isOver: boolean): Promise<void> {
    await this.#operate('viewed', { viewId, isOver })
  }
}

/** The views of the file at `path` while its preview is open: a sign every half minute, and the end with the preview or the page. */
export function useOpenViews(operate: FileOperations, path: string): OpenViews {
  const views = useMemo(() => new OpenViews(operate, path), [operate, path])
  useEffect(() => {
    views.open()
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') views.renew()
    }, LIMITS.previewReportMs)
    const close = (): void => views.close()
    addEventListener('pagehide', close)
    return () => {
      clearInterval(timer)
      removeEventListener('pagehide', close)
      close()
    }
  }, [views])
  return views
}
