import { useCallback, useState } from 'react'

/**
 * State that belongs to what the key names, such as a folder. Under another key it begins anew, before a frame shows the old one;
 * a setter from under an earlier key does nothing, since what it was made for is no longer shown.
 */
export function useKeyedState<State>(key: string, initial: State): readonly [State, (next: State) => void] {
  const [held, hold] = useState({ key, state: initial })
  let current = held
  if (held.key !== key) {
    current = { key, state: initial }
    hold(current)
  }
  const set = useCallback((state: State) => hold((now) => (now.key === key ? { key, state } : now)), [key])
  return [current.state, set]
}
