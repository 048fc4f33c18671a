#include <phobos/ide/links.h>

namespace phobos::ide {

std::vector<Link> links(const File& file) {
  std::vector<Link> all;
  for (const ItemView& item : file.items) {
    if (item.item().run_lines.empty()) continue;
    for (const RunName& each : item.index().run_names) {
      std::string path = item.item().text.substr(each.value.begin, each.value.size());
      Span span = each.value;
      if (path.size() > 2 && path.front() == '"' && path.back() == '"') {
        path = path.substr(1, path.size() - 2);
        span = {span.begin + 1, span.end - 1};
      }
      if (path.ends_with(".npy")) all.push_back({item.absolute(span), std::move(path)});
    }
  }
  return all;
}

}  // namespace phobos::ide
