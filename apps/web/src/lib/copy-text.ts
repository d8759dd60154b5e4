import { useServices } from './services.tsx'
import { useTexts } from './texts.tsx'

export interface CopyOptions {
  /** Stays selected when the browser refuses, so that a person may copy it by hand. */
  readonly shown?: HTMLElement | null
  /** Default: that it was copied; undefined where the page says so itself. */
  readonly message?: string | undefined
}

/** @returns what puts a text on the clipboard, reports a refusal, and answers whether it worked */
export function useCopy(): (text: string, options?: CopyOptions) => Promise<boolean> {
  const { messages } = useServices()
  const texts = useTexts()
  return async (text, { shown = null, ...options } = {}) => {
    const message = 'message' in options ? options.message : texts('common.copied')
    const works = await isCopied(text, shown)
    if (!works) messages.notify('error', texts('common.copy-refused'))
    else if (message !== undefined) messages.notify('success', message)
    return works
  }
}

/** A page without TLS has no clipboard of its own, so there the text is selected and copied as a person would. */
async function isCopied(text: string, shown: HTMLElement | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return shown === null ? copyUnseen(text) : copySelected(shown)
  }
}

function copySelected(shown: HTMLElement): boolean {
  if (shown instanceof HTMLInputElement) shown.select()
  else getSelection()?.selectAllChildren(shown)
  return document.execCommand('copy')
}

function copyUnseen(text: string): boolean {
  const unseen = document.createElement('span')
  unseen.textContent = text
  Object.assign(unseen.style, { position: 'fixed', opacity: '0', whiteSpace: 'pre', userSelect: 'text' })
  document.body.append(unseen)
  try {
    return copySelected(unseen)
  } finally {
    unseen.remove()
  }
}
