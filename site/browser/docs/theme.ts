/** Runs before the first paint. Applies the colours that the reader has chosen, and marks that scripts run. */
const root = document.documentElement;
const system = matchMedia('(prefers-color-scheme: dark)');

/** Sets the class `dark-mode`, from which Swagger UI takes its colours. */
function show(): void {
  const { colours } = root.dataset;
  root.classList.toggle('dark-mode', colours === undefined ? system.matches : colours === 'dark');
}

root.dataset.script = 'yes';
try {
  const chosen = localStorage.getItem('docs-colours');
  if (chosen === 'light' || chosen === 'dark') root.dataset.colours = chosen;
} catch {
  // In a browser without storage, the page follows the colours of the system.
}
show();
system.addEventListener('change', show);
new MutationObserver(show).observe(root, { attributeFilter: ['data-colours'] });
export {};
