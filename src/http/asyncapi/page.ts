import { codeOf, escape, htmlPage, prose, shapeOf, type HtmlPage } from '../html';
import type { AsyncApiDocument, AsyncApiOperation } from './document';

export function renderLivePage(document: AsyncApiDocument): HtmlPage {
  const { title, version, description } = document.info;
  const operations = Object.values(document.operations);
  return htmlPage(
    escape(title),
    `<h1>${escape(title)}</h1>
<p>Version ${escape(version)}. ${prose(description)} Machine-readable: <a href="../asyncapi.json">asyncapi.json</a>. <a href="../docs">API reference</a>.</p>
<ul>
${Object.values(document.servers)
  .map(
    ({ protocol, host, pathname, description: what }) =>
      `<li><code>${escape(`${protocol}://${host}${pathname}`)}</code> ${prose(what)}</li>`,
  )
  .join('\n')}
</ul>
${Object.entries(document.channels)
  .map(([key, channel]) => {
    const heading =
      channel.address === null ? escape(channel.title) : `<code>${escape(channel.address)}</code>`;
    const own = operations.filter((operation) => operation.channel.$ref === `#/channels/${key}`);
    return `<h2 id="${escape(key)}">${heading}</h2>
<p>${prose(channel.description)}</p>
${own.map((operation) => operationOf(document, operation)).join('\n')}`;
  })
  .join('\n')}
<h2>Shapes</h2>
${Object.entries(document.components.schemas)
  .map(([name, schema]) => shapeOf(name, schema))
  .join('\n')}`,
  );
}

/**
 * The document writes `send` and `receive` from the service's point of view. The page is for clients, so it
 * names the sender.
 */
function operationOf(document: AsyncApiDocument, { action, messages }: AsyncApiOperation): string {
  const sender = action === 'send' ? 'from the service' : 'from you';
  return messages.map(({ $ref }) => messageOf(document, sender, $ref.split('/').at(-1) ?? '')).join('\n');
}

function messageOf({ components }: AsyncApiDocument, sender: string, name: string): string {
  const message = components.messages[name];
  if (message === undefined) return '';
  const shape = message.payload.$ref.split('/').at(-1) ?? '';
  return `<details>
<summary><code>${escape(name)}</code> <span class="what">${prose(message.summary)} <small class="sender">${sender}</small></span></summary>
<p>Shape: <a href="#${escape(shape)}">${escape(shape)}</a></p>
${message.examples.map(({ payload }) => codeOf(payload)).join('\n')}
</details>`;
}
