import { type KeyboardEvent, useEffect } from 'react'

/** The button of a floating window closes it by itself; a second close by the window would open it again. */
export function isOn(anchor: object, { target }: Event): boolean {
  return anchor instanceof Element && target instanceof Node && anchor.contains(target)
}

const STOPS = ['a[href]', 'button', 'input:enabled', 'select:enabled', 'textarea:enabled', '[tabindex="0"]'].join()

/** Whether Tab leads out of the window that hears it: past its last stop, or back past its first. */
export function leadsOut({ key, shiftKey, currentTarget }: KeyboardEvent<HTMLElement>): boolean {
  if (key !== 'Tab') return false
  const stops = [...currentTarget.querySelectorAll(STOPS)].filter((stop) => stop.checkVisibility())
  const at = document.activeElement
  const isAtStart = at === currentTarget || at === stops[0]
  return stops.length === 0 || (shiftKey ? isAtStart : at === stops.at(-1))
}

/**
 * Base UI hides the guards around an open window from screen readers although they can have the focus, which leaves whoever
 * lands on one nowhere. While a window is open its guards are left in the open, as Base UI itself does for VoiceOver.
 */
export function useExposedGuards(): void {
  useEffect(() => {
    const expose = (): void => {
      for (const guard of document.querySelectorAll('[data-base-ui-focus-guard][aria-hidden]')) {
        guard.removeAttribute('aria-hidden')
      }
    }
    expose()
    const observer = new MutationObserver(expose)
    observer.observe(document.body, { childList: true, subtree: true })
    return () => observer.disconnect()
  }, [])
}
