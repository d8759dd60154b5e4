interface ScriptPolicy {
  createScriptURL(url: string): string
}

interface PolicyFactory {
  createPolicy(name: string, rules: { readonly createScriptURL: (url: string) => string }): ScriptPolicy
}

/** Trusted Types are on: a script's address must come through a policy, and ours lets only our own assets pass. */
const policy = (globalThis as { readonly trustedTypes?: PolicyFactory }).trustedTypes?.createPolicy('godwit-workers', {
  createScriptURL(url) {
    if (new URL(url, location.href).origin !== location.origin) throw new TypeError('a worker from another origin')
    return url
  },
})

export function startWorker(url: string): Worker {
  return new Worker(policy?.createScriptURL(url) ?? url, { type: 'module' })
}

/** Lets the page open without a connection. A browser that refuses, in a private window for one, simply goes without. */
export function startOfflineWorker(): void {
  if (!('serviceWorker' in navigator)) return
  const url = '/worker.js'
  navigator.serviceWorker.register(policy?.createScriptURL(url) ?? url).catch(() => undefined)
}
