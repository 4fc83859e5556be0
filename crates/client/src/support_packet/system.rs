//! Name and version of the operating system, from where it keeps them. No program is started for it.

/// The operating system with its version, and the processor.
pub(super) fn system() -> String {
    let (system, machine) = (std::env::consts::OS, std::env::consts::ARCH);
    match name() {
        Some(name) => format!("{system} {machine}, {name}"),
        None => format!("{system} {machine}"),
    }
}

#[cfg(target_os = "windows")]
fn name() -> Option<String> {
    let key = r"SOFTWARE\Microsoft\Windows NT\CurrentVersion";
    let key = windows_registry::LOCAL_MACHINE.open(key).ok()?;
    Some(windows_name(
        &key.get_string("ProductName").ok()?,
        key.get_string("DisplayVersion").ok().as_deref(),
        &key.get_string("CurrentBuildNumber").ok()?,
        key.get_u32("UBR").ok(),
    ))
}

#[cfg(target_os = "macos")]
fn name() -> Option<String> {
    let path = "/System/Library/CoreServices/SystemVersion.plist";
    macos_name(&std::fs::read_to_string(path).ok()?)
}

#[cfg(not(any(target_os = "windows", target_os = "macos")))]
fn name() -> Option<String> {
    linux_name(&std::fs::read_to_string("/etc/os-release").ok()?)
}

/// The first build of Windows 11, which still calls itself Windows 10 in `ProductName`.
#[cfg(any(test, target_os = "windows"))]
const WINDOWS_11_BUILD: u32 = 22_000;

/// From the values of the registry.
#[cfg(any(test, target_os = "windows"))]
fn windows_name(
    product: &str,
    display_version: Option<&str>,
    build: &str,
    revision: Option<u32>,
) -> String {
    let is_11 = build
        .parse::<u32>()
        .is_ok_and(|build| build >= WINDOWS_11_BUILD);
    let mut name = if is_11 {
        product.replacen("Windows 10", "Windows 11", 1)
    } else {
        product.to_owned()
    };
    if let Some(version) = display_version {
        name = format!("{name} {version}");
    }
    let revision = revision.map_or_else(String::new, |revision| format!(".{revision}"));
    format!("{name} (build {build}{revision})")
}

/// From the property list that `sw_vers` reads.
#[cfg(any(test, target_os = "macos"))]
fn macos_name(property_list: &str) -> Option<String> {
    let value = |key: &str| {
        let (_, rest) = property_list.split_once(&format!("<key>{key}</key>"))?;
        let (_, rest) = rest.split_once("<string>")?;
        Some(rest.split_once("</string>")?.0)
    };
    let (name, version) = (value("ProductName")?, value("ProductVersion")?);
    Some(match value("ProductBuildVersion") {
        Some(build) => format!("{name} {version} (build {build})"),
        None => format!("{name} {version}"),
    })
}

/// From os-release(5).
#[cfg(any(test, not(any(target_os = "windows", target_os = "macos"))))]
fn linux_name(os_release: &str) -> Option<String> {
    let mut lines = os_release.lines();
    let name = lines.find_map(|line| line.strip_prefix("PRETTY_NAME="))?;
    Some(name.trim_matches('"').to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_11_is_told_by_its_build() {
        let name = windows_name("Windows 10 Pro", Some("24H2"), "26100", Some(4652));
        assert_eq!(name, "Windows 11 Pro 24H2 (build 26100.4652)");
        let name = windows_name("Windows 10 Pro", Some("22H2"), "19045", None);
        assert_eq!(name, "Windows 10 Pro 22H2 (build 19045)");
        let name = windows_name("Windows Server 2022 Standard", None, "20348", Some(1));
        assert_eq!(name, "Windows Server 2022 Standard (build 20348.1)");
    }

    #[test]
    fn macos_has_the_name_and_version_of_its_property_list() {
        let list = "<plist version=\"1.0\">\n<dict>\n\t<key>ProductBuildVersion</key>\n\t<string>25B78</string>\n\t\
                    <key>ProductName</key>\n\t<string>macOS</string>\n\t<key>ProductVersion</key>\n\t\
                    <string>26.1</string>\n</dict>\n</plist>\n";
        assert_eq!(
            macos_name(list).as_deref(),
            Some("macOS 26.1 (build 25B78)")
        );
        assert_eq!(macos_name("<plist/>"), None);
    }

    #[test]
    fn linux_has_the_pretty_name_of_os_release() {
        let file = "NAME=\"Debian\"\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n";
        assert_eq!(
            linux_name(file).as_deref(),
            Some("Debian GNU/Linux 12 (bookworm)")
        );
        assert_eq!(linux_name("NAME=x\n"), None);
    }

    #[test]
    fn name_of_this_system_is_known() {
        assert!(system().contains(", "), "{}", system());
    }
}
