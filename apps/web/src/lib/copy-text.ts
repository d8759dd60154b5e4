/**
 * Puts a text on the clipboard. A page without TLS has no clipboard of its own, so there the text of `shown` is selected
 * and copied as a person would.
 * @returns false when the browser refused
 */
export async function copyText(text: string, shown: HTMLElement | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copySelected(shown)
  }
}

function copySelected(shown: HTMLElement | null): boolean {
  if (shown === null) return false
  if (shown instanceof HTMLInputElement) shown.select()
  else getSelection()?.selectAllChildren(shown)
  return document.execCommand('copy')
}
